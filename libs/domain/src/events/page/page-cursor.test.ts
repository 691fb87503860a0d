import { writeCursor } from '../../paging/cursor.js';
import { acceptEventSort, NEWEST_FIRST } from './event-sort.js';
import {
  newestPosition,
  readEventCursor,
  readNewestCursor,
  writeEventCursor,
  writeNewestCursor,
} from './page-cursor.js';

const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const OTHER = '1b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';

describe('the cursor of a page of events', () => {
  it.each([1795255200000.25, 0, -5, null])('returns the position %p', (value) => {
    const position = { value, eventId: ID };
    expect(readEventCursor(NEWEST_FIRST, writeEventCursor(NEWEST_FIRST, position))).toEqual(position);
  });

  it.each([
    ['other text', 'abc'],
    ['no text', ''],
    ['characters outside its alphabet', '%%%'],
    ['another list', writeCursor('sessions', [1, ID])],
    ['another order', writeEventCursor({ field: 'duration', order: 'desc' }, { value: 1, eventId: ID })],
    ['no id', writeCursor('events desc start_time', [1, 'x'])],
    ['a text as number', writeCursor('events desc start_time', ['1', ID])],
    ['more parts', writeCursor('events desc start_time', [1, ID, 2])],
    ['too much text', 'A'.repeat(5_000)],
  ])('is rejected when it is of %s', (_, text) => {
    expect(() => readEventCursor(NEWEST_FIRST, text)).toThrow('cursor must come from a previous page');
  });
});

describe('the newest position', () => {
  const event = (start_time: number, event_id = ID) => ({ event_id, start_time });

  it('is that of the newest event, with all ids of its start', () => {
    const page = [event(5), event(5, OTHER), event(3)];
    expect(newestPosition(page, undefined, 10)).toEqual({ startTime: 5, eventIds: [ID, OTHER] });
  });

  it('ignores events that start in the future', () => {
    expect(newestPosition([event(50), event(5)], undefined, 10)).toEqual({ startTime: 5, eventIds: [ID] });
  });

  it('stays when nothing newer came, and collects ids of the same start', () => {
    const before = { startTime: 5, eventIds: [ID] };
    expect(newestPosition([], before, 10)).toEqual(before);
    expect(newestPosition([event(5, OTHER)], before, 10)).toEqual({ startTime: 5, eventIds: [OTHER, ID] });
  });

  it('is read from its cursor, and from no other text', () => {
    const position = { startTime: 5, eventIds: [ID] };
    expect(readNewestCursor(writeNewestCursor(position))).toEqual(position);
    const other = writeEventCursor(NEWEST_FIRST, { value: 1, eventId: ID });
    expect(() => readNewestCursor(other)).toThrow('after must come from a previous page');
  });
});

describe('the order of a page', () => {
  it.each(['start_time', 'end_time', 'duration', 'metadata.cost', 'metrics.a.b', 'feedback.rating'])(
    'may be by %s',
    (field) => expect(acceptEventSort({ field })).toEqual({ field, order: 'desc' }),
  );

  it.each(['', 'event_name', 'metadata', 'inputs.a', 'config.model', 'origin', 'nothing'])(
    'is rejected by %j',
    (field) => expect(() => acceptEventSort({ field })).toThrow('sort.field must be'),
  );
});
