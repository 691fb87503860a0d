import type { ConsumedRecord } from './event-log.js';
import { HandledRecords } from './handled-records.js';

const batchOf = (from: number, to: number): ConsumedRecord[] =>
  Array.from({ length: to - from }, (_, index) => ({
    ...{
      key: `k${from + index}`,
      value: Buffer.alloc(0),
      headers: {},
      partition: 0,
      offset: from + index,
      appendedAt: 1,
    },
  }));
const FATAL = 1_234;

/** How a handler notes what it handles. */
type Marking = (handled: HandledRecords, record: ConsumedRecord, interruptions: number) => string;
const byRecord: Marking = (handled, record, interruptions) => handled.recordNote(record, interruptions);
const bySubject: Marking = (handled, record, interruptions) => handled.subjectNote(record, interruptions);

/**
 * Handles a batch in processes that each end at fatal records, until one completes it. Returns how many have ended, and which
 * records were fatal.
 */
function handleInProcesses(
  batch: readonly ConsumedRecord[],
  isFatal: (record: ConsumedRecord) => boolean,
  marking?: Marking,
): { readonly ended: number; readonly fatal: readonly number[] } {
  let note = '';
  for (let ended = 0; ended < 20; ended++) {
    const handled = new HandledRecords(note);
    const fatal: number[] = [];
    const isEnded = handled.groupsOf(batch).some(({ records, interruptions }) => {
      if (handled.isFatal(records[0]!)) {
        fatal.push(records[0]!.offset);
        return false;
      }
      note = handled.noteOf(records, interruptions);
      return records.some((record) => {
        if (marking && interruptions > 0) note = marking(handled, record, interruptions);
        return isFatal(record);
      });
    });
    if (!isEnded) return { ended, fatal };
  }
  return { ended: Number.POSITIVE_INFINITY, fatal: [] };
}

describe('a record that ends the process', () => {
  const isFatal = ({ offset }: ConsumedRecord) => offset === FATAL;

  it.each([
    ['records', byRecord],
    ['subjects', bySubject],
  ])(
    'is handled twice in a batch of any size whose %s are noted, and no other becomes fatal',
    (_, marking) => {
      const sizes = [1, 63, 64, 65, 1_000, 10_000];
      for (const size of sizes) {
        const batch = batchOf(FATAL - Math.floor(size / 10), FATAL - Math.floor(size / 10) + size);
        expect(handleInProcesses(batch, isFatal, marking)).toEqual({ ended: 2, fatal: [FATAL] });
      }
    },
  );

  it('is handled three times at most in a large batch when nothing more is noted', () => {
    expect(handleInProcesses(batchOf(FATAL - 20, FATAL + 20), isFatal)).toEqual({ ended: 2, fatal: [FATAL] });
    expect(handleInProcesses(batchOf(0, 10_000), isFatal)).toEqual({ ended: 3, fatal: [FATAL] });
    expect(handleInProcesses(batchOf(0, 10_000), () => false)).toEqual({ ended: 0, fatal: [] });
  });

  it('is found among others that end the process too, each of which ends it twice at most', () => {
    const several = [3, 700, 701, 9_999];
    const { ended, fatal } = handleInProcesses(
      batchOf(0, 10_000),
      ({ offset }) => several.includes(offset),
      byRecord,
    );
    expect(fatal).toEqual(expect.arrayContaining(several));
    expect(fatal).toHaveLength(several.length);
    expect(ended).toBeLessThanOrEqual(2 * several.length);
  });

  it('makes all records of its subject fatal that were in the batch, and none of another project', () => {
    const batch = batchOf(0, 1_000).map((record) => ({
      ...record,
      key: String(record.offset % 100),
      headers: { project: record.offset % 200 < 100 ? 'a' : 'b' },
    }));
    const subjectOf = ({ key, headers }: ConsumedRecord) => `${headers.project}/${key}`;
    const first = new HandledRecords(new HandledRecords().noteOf(batch.slice(0, 900), 0), subjectOf);
    const second = new HandledRecords(first.subjectNote(batch[7]!, 1), subjectOf);
    const fatal = batch.filter((record) => second.isFatal(record)).map(({ offset }) => offset);
    expect(fatal).toEqual([7, 207, 407, 607, 807]);
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
      const [record] = batchOf(from, from + 1);
      note = new HandledRecords(note).subjectNote(record!, 1);
      expect(note.length).toBeLessThanOrEqual(500);
    }
  });
});
