import { sampleEvent } from '../../test/sample-event.js';
import { encodeEventRow, parentOfRow } from './event-row.js';

const ID = '00000000-0000-4000-8000-000000000000';

describe('the parent of a row', () => {
  test.each([
    ['a child', sampleEvent({ parent_id: ID }), ID],
    ['an event without parent', sampleEvent({ parent_id: null, inputs: { parent_id: ID } }), undefined],
    ['a parent that is no UUID', sampleEvent({ parent_id: 'the "parent"' }), undefined],
    ['a child in a long project', sampleEvent({ project_id: 'é'.repeat(300), parent_id: ID }), ID],
  ])('is read from %s', (_, event, parent) => {
    expect(parentOfRow(encodeEventRow(event))).toBe(parent);
  });
});
