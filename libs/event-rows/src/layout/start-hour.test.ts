import { NEW_YEAR, sampleEvent } from '../../test/sample-event.js';
import { sameSortKey } from './start-hour.js';

describe('the location of an event in the sort order', () => {
  it.each([
    ['another minute of the same hour', NEW_YEAR, NEW_YEAR + 3_599_999.5, true],
    ['the next hour', NEW_YEAR, NEW_YEAR + 3_600_000, false],
    ['two times before 2000', -5, 5e11, true],
    ['two times after 2100', 5e12, 9e15, true],
  ])('%s', (_name, one, other, same) => {
    const event = sampleEvent({ start_time: one });
    expect(sameSortKey(event, { ...event, start_time: other })).toBe(same);
    expect(sameSortKey(event, { ...event, session_id: event.event_id })).toBe(false);
  });
});
