import type { DeadLetter, EventLog, LogRecord } from './event-log.js';
import { recordBytes } from './record-size.js';
import { takeDeadLetters, type DeadLetterSelection } from './take-dead-letters.js';

/** Bytes of the records that are appended in one call. */
const APPEND_BYTES = 16 * 1024 * 1024;

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
 * @param matches which letters to replay; all by default
 * @returns the number of replayed letters
 * @throws AppError `UNAVAILABLE`; letters that were not replayed are still stored
 */
export function replayDeadLetters(
  log: EventLog,
  limit: number,
  matches?: DeadLetterSelection['matches'],
): Promise<number> {
  return takeDeadLetters(log, { limit, matches }, async (letters) => {
    for (const part of inParts(letters.map(toReplayedRecord))) await log.append(part);
  });
}

/** Splits records, in order, so that a part has at most {@link APPEND_BYTES}; a larger record is a part of its own. */
function inParts(records: readonly LogRecord[]): LogRecord[][] {
  const parts: LogRecord[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const record of records) {
    const size = recordBytes(record);
    if (bytes + size > APPEND_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(record);
    bytes += size;
  }
  return parts;
}

function toReplayedRecord(letter: DeadLetter): LogRecord {
  const { key, value, headers, reason, partition, offset } = letter;
  const { group, epoch } = reason;
  const first = replayOrigin(letter) ?? { partition, offset, epoch };
  const origin: ReplayOrigin = { ...first, group };
  return { key, value, headers: { ...headers, [REPLAY]: JSON.stringify(origin) } };
}
