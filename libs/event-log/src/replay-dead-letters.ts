import type { DeadLetter, EventLog, LogRecord } from './event-log.js';

const BATCH_SIZE = 100;

/** Header of a replayed record; the other headers are those of the original record. */
const REPLAY = 'assay.replay';

/** What a replayed record was: the consumer group that could not process it, and its original position. */
export interface ReplayOrigin {
  readonly group: string;
  readonly partition: number;
  readonly offset: number;
  /** Epoch of the original position; absent when its group has none. */
  readonly epoch?: number;
}

/** Returns the origin of a replayed record; undefined for a record that is not replayed. */
export function replayOrigin({ headers }: Pick<LogRecord, 'headers'>): ReplayOrigin | undefined {
  const text = headers[REPLAY];
  return text === undefined ? undefined : (JSON.parse(text) as ReplayOrigin);
}

/**
 * Appends dead letters again, oldest first, with their original key, headers and value, and deletes each once
 * it is durable. A header names the group that could not process the record, and its original position: other
 * groups skip it where it would repeat what they have done, and newer records win over it. A letter that is
 * replayed for a second time keeps its first origin. Interrupted between the two, it appends a letter twice,
 * which changes nothing: readers are idempotent.
 * @param limit maximum number to replay, so that letters that fail again immediately do not keep it running
 * @returns the number of replayed letters
 * @throws AppError `UNAVAILABLE`; letters that were not replayed are still stored
 */
export async function replayDeadLetters(log: EventLog, limit: number): Promise<number> {
  let replayed = 0;
  while (replayed < limit) {
    const letters = await log.deadLetters(Math.min(BATCH_SIZE, limit - replayed));
    const last = letters.at(-1);
    if (last === undefined) break;
    await log.append(letters.map(toReplayedRecord));
    await log.dropDeadLetters(last.id);
    replayed += letters.length;
  }
  return replayed;
}

function toReplayedRecord(letter: DeadLetter): LogRecord {
  const { key, value, headers, reason, partition, offset } = letter;
  const { group, epoch } = reason;
  const first = replayOrigin(letter) ?? { partition, offset, epoch };
  const origin: ReplayOrigin = { ...first, group };
  return { key, value, headers: { ...headers, [REPLAY]: JSON.stringify(origin) } };
}
