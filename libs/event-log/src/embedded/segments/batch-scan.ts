import {
  BATCH_HEADER_BYTES,
  hasValidChecksum,
  readBatchHeader,
  SALT_BYTES,
  type BatchHeader,
} from './batch.js';
import type { FileWindow } from './file-window.js';

export interface FoundBatch extends BatchHeader {
  readonly position: number;
}

/**
 * The batch at `position`, checked; undefined when there is none or its bytes are not those that were
 * written.
 */
export async function validBatchAt(
  file: FileWindow,
  salt: Buffer,
  position: number,
): Promise<FoundBatch | undefined> {
  const header = readBatchHeader(await file.bytes(position, BATCH_HEADER_BYTES), 0, salt);
  if (header === undefined || position + header.bytes > file.size) return undefined;
  const batch = await file.bytes(position, header.bytes);
  if (batch.length < header.bytes || !hasValidChecksum(batch)) return undefined;
  return { ...header, position };
}

const SEARCH_BYTES = 1024 * 1024;

/**
 * The first valid batch from `position` on that was written when the bytes before `durable` were already
 * synced.
 */
export async function findBatchWrittenAfter(
  file: FileWindow,
  salt: Buffer,
  position: number,
  durable: number,
): Promise<FoundBatch | undefined> {
  let at = position;
  while (at + BATCH_HEADER_BYTES <= file.size) {
    const bytes = await file.bytes(at, SEARCH_BYTES);
    const found = bytes.indexOf(salt);
    if (found === -1) {
      // The salt may start in the last bytes of this piece.
      at += Math.max(1, bytes.length - SALT_BYTES + 1);
      continue;
    }
    const batch = await validBatchAt(file, salt, at + found);
    if (batch !== undefined && batch.syncedLength >= durable) return batch;
    at += found + 1;
  }
  return undefined;
}
