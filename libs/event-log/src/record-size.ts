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
  let bytes = FRAMING_BYTES + record.value.length + Buffer.byteLength(record.key);
  for (const name of Object.keys(record.headers)) bytes += 12 + Buffer.byteLength(name) + Buffer.byteLength(record.headers[name] ?? '');
  return bytes;
}

/**
 * Bytes of all records together.
 * @throws AppError `PAYLOAD_TOO_LARGE` when one is over {@link MAX_RECORD_BYTES}
 */
export function totalBytes(records: readonly LogRecord[]): number {
  let total = 0;
  for (const record of records) {
    const bytes = recordBytes(record);
    if (bytes > MAX_RECORD_BYTES) throw new AppError('PAYLOAD_TOO_LARGE', `a record is larger than ${MAX_RECORD_BYTES} bytes`);
    total += bytes;
  }
  return total;
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
