import { sampleEvent } from '../../test/sample-event.js';
import { encodeEventRow, sessionOfRow } from './event-row.js';

describe('the session of a row', () => {
  test.each([
    ['a plain event', sampleEvent()],
    ['a long project', sampleEvent({ project_id: 'é'.repeat(300) })],
  ])('is read from %s', (_, event) => {
    expect(sessionOfRow(encodeEventRow(event))).toBe(event.session_id);
  });
});
