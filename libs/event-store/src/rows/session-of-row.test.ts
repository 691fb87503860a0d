import { sampleEvent } from '../contract/event-fixture.js';
import { encodeEventRow } from './encode-event-row.js';
import { sessionOfRow } from './session-of-row.js';

describe('the session of a row', () => {
  test.each([
    ['a plain event', sampleEvent()],
    ['a project that looks like the label', sampleEvent({ project_id: '"session_id":"00000000-0000-4000-8000-000000000000"' })],
    ['an event whose texts look like the label', sampleEvent({ event_name: '"session_id":"', inputs: { session_id: 'x' } })],
  ])('is read from %s', (_, event) => {
    expect(sessionOfRow(encodeEventRow(event))).toBe(event.session_id);
  });
});
