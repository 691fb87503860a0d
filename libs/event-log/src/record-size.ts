import { AppError } from '@assay/errors';
import type { LogRecord } from './event-log.js';

/**
 * Maximum size of a record of any log: key, headers and value with their framing. Readers are configured for it; the topics of a
 * cluster may take less.
 */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/** Maximum bytes of one process that wait to become durable. */
export const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Allowance for a record's framing: lengths and checksums in either log, and the header of a batch of one.
 */
const FRAMING_BYTES = 128;

/** Returns an upper estimate of the bytes that a record takes in the log. */
export function recordBytes(record: LogRecord): number {
  return FRAMING_BYTES + record.value.length + Buffer.byteLength(record.key) + headerBytes(record.headers);
}

/** Sizes of frozen headers, which the records of a project share. */
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
 * Returns the bytes of each record, and their sum.
 * @throws AppError `PAYLOAD_TOO_LARGE` when one is over `maxRecordBytes`
 */
export function sizesOf(
  records: readonly LogRecord[],
  maxRecordBytes = MAX_RECORD_BYTES,
): {
  readonly sizes: readonly number[];
  readonly total: number;
} {
  let total = 0;
  const sizes = records.map((record) => {
    const bytes = recordBytes(record);
    if (bytes > maxRecordBytes)
      throw new AppError('PAYLOAD_TOO_LARGE', `a record is larger than ${maxRecordBytes} bytes`);
    total += bytes;
    return bytes;
  });
  return { sizes, total };
}

/** Returns the bytes of all records. @throws AppError `PAYLOAD_TOO_LARGE`, see {@link sizesOf} */
export function totalBytes(records: readonly LogRecord[]): number {
  return sizesOf(records).total;
}

/**
 * Rejects new bytes while too many wait. A single call that is larger than the limit passes when nothing else
 * waits.
 * @throws AppError `OVERLOADED`
 */
export function refuseOverload(waitingBytes: number, newBytes: number): void {
  if (waitingBytes > 0 && waitingBytes + newBytes > MAX_WAITING_BYTES) {
    throw new AppError(
      'OVERLOADED',
      'too many records are waiting to be written to the event log, retry later',
    );
  }
}
