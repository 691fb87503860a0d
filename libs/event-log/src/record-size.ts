import { AppError } from '@assay/errors';
import type { LogRecord } from './event-log.js';

/** A record may be this large: key, headers and value with their framing. Topics and readers are set up for it. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/** More bytes than this never wait in one process to become durable. */
export const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** Room for a record's framing: lengths and checksums in either log, and the header of a batch of one. */
const FRAMING_BYTES = 128;

/** About how many bytes a record takes in the log; never less than it does. */
export function recordBytes(record: LogRecord): number {
  return FRAMING_BYTES + record.value.length + Buffer.byteLength(record.key) + headerBytes(record.headers);
}

/** Sizes of headers that nobody can change: the records of a project share them. */
const known = new WeakMap<object, number>();

function headerBytes(headers: LogRecord['headers']): number {
  const found = known.get(headers);
  if (found !== undefined) return found;
  let bytes = 0;
  for (const name of Object.keys(headers))
    bytes += 12 + Buffer.byteLength(name) + Buffer.byteLength(headers[name] ?? '');
  if (Object.isFrozen(headers)) known.set(headers, bytes);
  return bytes;
}

/**
 * Bytes of each record, and of all together.
 * @throws AppError `PAYLOAD_TOO_LARGE` when one is over {@link MAX_RECORD_BYTES}
 */
export function sizesOf(records: readonly LogRecord[]): {
  readonly sizes: readonly number[];
  readonly total: number;
} {
  let total = 0;
  const sizes = records.map((record) => {
    const bytes = recordBytes(record);
    if (bytes > MAX_RECORD_BYTES)
      throw new AppError('PAYLOAD_TOO_LARGE', `a record is larger than ${MAX_RECORD_BYTES} bytes`);
    total += bytes;
    return bytes;
  });
  return { sizes, total };
}

/** Bytes of all records together. @throws AppError `PAYLOAD_TOO_LARGE`, see {@link sizesOf} */
export function totalBytes(records: readonly LogRecord[]): number {
  return sizesOf(records).total;
}

/**
 * Refuses new bytes while too many wait. A single call that is larger than the limit passes when nothing else waits.
 * @throws AppError `OVERLOADED`
 */
export function refuseOverload(waitingBytes: number, newBytes: number): void {
  if (waitingBytes > 0 && waitingBytes + newBytes > MAX_WAITING_BYTES) {
    throw new AppError('OVERLOADED', 'too many records wait to be written to the event log');
  }
}
