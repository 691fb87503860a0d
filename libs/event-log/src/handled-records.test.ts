import type { ConsumedRecord } from './event-log.js';
import { HandledRecords } from './handled-records.js';

const batchOf = (from: number, to: number): ConsumedRecord[] =>
  Array.from({ length: to - from }, (_, index) => ({
    ...{ key: 'k', value: Buffer.alloc(0), headers: {}, partition: 0, offset: from + index, appendedAt: 1 },
  }));
const FATAL = 1_234;

/** Handles a batch in processes that each end at the fatal record, until one completes it. Returns how often it was handled. */
function timesHandled(batch: readonly ConsumedRecord[], fatal: number): number {
  let note = '';
  for (let times = 0; times < 10; times++) {
    const handled = new HandledRecords(note);
    const ending = handled.groupsOf(batch).find(({ records, interruptions }) => {
      if (handled.isFatal(records[0]!)) return false;
      note = handled.noteOf(records, interruptions);
      return records.some(({ offset }) => offset === fatal);
    });
    if (ending === undefined) return times;
  }
  return Number.POSITIVE_INFINITY;
}

describe('a record that ends the process', () => {
  it('is handled twice, and is found in a large batch at the third time', () => {
    expect(timesHandled(batchOf(FATAL, FATAL + 1), FATAL)).toBe(2);
    expect(timesHandled(batchOf(FATAL - 20, FATAL + 20), FATAL)).toBe(2);
    expect(timesHandled(batchOf(0, 10_000), FATAL)).toBe(3);
    expect(timesHandled(batchOf(0, 10_000), -1)).toBe(0);
  });

  it('divides a batch into at most 64 groups, in order, and others not at all', () => {
    const batch = batchOf(0, 10_000);
    const interrupted = new HandledRecords(new HandledRecords().noteOf(batch.slice(100, 9_000), 0));
    const groups = interrupted.groupsOf(batch);
    expect(groups.flatMap(({ records }) => records)).toEqual(batch);
    expect(groups.length).toBeLessThanOrEqual(66);
    expect([groups[0]?.records.length, groups.at(-1)?.records.length]).toEqual([100, 1_000]);
    interrupted.completed(9_000);
    expect(interrupted.groupsOf(batch)).toHaveLength(1);
  });

  it('is not one during which nothing was handled', () => {
    const batch = batchOf(5, 6);
    const before = new HandledRecords(new HandledRecords().noteOf(batch, 0));
    const idle = new HandledRecords(before.idleNote());
    expect(idle.groupsOf(batch)).toEqual([{ records: batch, interruptions: 1 }]);
    expect(idle.isFatal(batch[0]!)).toBe(false);
    expect(new HandledRecords(before.noteOf(batch, 1)).isFatal(batch[0]!)).toBe(true);
  });

  it.each(['x', '{}', '[[1]]', '[["a",2,3]]', '[[1,2,0.5]]'])(
    'is none by a note of another format: %s',
    (note) => {
      expect(new HandledRecords(note).isFatal(batchOf(1, 2)[0]!)).toBe(false);
    },
  );

  it('fits into a note', () => {
    let note = '';
    for (let times = 0; times < 20; times++) {
      const from = Number.MAX_SAFE_INTEGER - 100 + times;
      note = new HandledRecords(note).noteOf(batchOf(from, from + 1), 1);
      expect(note.length).toBeLessThanOrEqual(500);
    }
  });
});
