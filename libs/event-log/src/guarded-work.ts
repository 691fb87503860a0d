import type { ConsumedRecord, PartitionNotes } from './event-log.js';
import type { HandledRecords, RecordGroup } from './handled-records.js';

/**
 * Notes which records the work handles from now on, in place of those before. Resolves when that is noted; undefined when it
 * need not be, because no process has ended during these records.
 */
export interface HandlingNotes {
  /** One record alone. */
  record(record: ConsumedRecord): Promise<void> | undefined;
  /** All records of the batch that have the subject of this one; all records of the group when it is not known. */
  subject(record: ConsumedRecord | undefined): Promise<void> | undefined;
}

/**
 * Runs work that records could make end the process, such as matching them with what users have written. A record during
 * which the process has ended twice becomes a dead letter before it is handled again. The work says what it handles, so that
 * the second time shows which record it is.
 */
export type GuardedWork = <T>(work: (handling: HandlingNotes) => Promise<T>) => Promise<T>;

const NOTHING_NOTED: HandlingNotes = { record: () => undefined, subject: () => undefined };

/** For handlers that are called without a consumer loop. */
export const unguarded: GuardedWork = (work) => work(NOTHING_NOTED);

/** What the handling of records needs to know about them. */
export interface Processing extends Pick<RecordGroup, 'interruptions'> {
  readonly notes: PartitionNotes;
  readonly handled: HandledRecords;
  readonly rejected: Set<ConsumedRecord>;
}

/** Notes which records are handled while the work runs. They are handled even if that cannot be noted. */
export function guardBatch(
  records: readonly ConsumedRecord[],
  processing: Processing,
  onNotNoted: (error: unknown) => void,
): GuardedWork {
  const { notes, handled, interruptions } = processing;
  const write = (note: string) => notes.write(note).catch(onNotNoted);
  return async (work) => {
    await write(handled.noteOf(records, interruptions));
    try {
      return await work(interruptions > 0 ? notesWithin(records, processing, write) : NOTHING_NOTED);
    } finally {
      await write(handled.idleNote());
    }
  };
}

function notesWithin(
  records: readonly ConsumedRecord[],
  { handled, interruptions }: Processing,
  write: (note: string) => Promise<void>,
): HandlingNotes {
  let written = '';
  const replace = (note: string) => {
    if (note === written) return undefined;
    written = note;
    return write(note);
  };
  return {
    record: (record) => replace(handled.recordNote(record, interruptions)),
    subject: (record) =>
      replace(record ? handled.subjectNote(record, interruptions) : handled.noteOf(records, interruptions)),
  };
}
