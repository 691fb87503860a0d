import type { ConsumedRecord, PartitionNotes } from './event-log.js';
import type { HandledRecords, RecordGroup } from './handled-records.js';

/**
 * Runs work that records could make end the process, such as matching them with what users have written. A record during
 * which the process has ended twice becomes a dead letter before it is handled again.
 */
export type GuardedWork = <T>(work: () => Promise<T>) => Promise<T>;

/** For handlers that are called without a consumer loop. */
export const unguarded: GuardedWork = (work) => work();

/** What the handling of records needs to know about them. */
export interface Processing extends Pick<RecordGroup, 'interruptions'> {
  readonly notes: PartitionNotes;
  readonly handled: HandledRecords;
  readonly rejected: Set<ConsumedRecord>;
}

/** Notes which records are handled while the work runs. They are handled even if that cannot be noted. */
export function guardBatch(
  records: readonly ConsumedRecord[],
  { notes, handled, interruptions }: Processing,
  onNotNoted: (error: unknown) => void,
): GuardedWork {
  return async (work) => {
    await notes.write(handled.noteOf(records, interruptions)).catch(onNotNoted);
    try {
      return await work();
    } finally {
      await notes.write(handled.idleNote()).catch(onNotNoted);
    }
  };
}
