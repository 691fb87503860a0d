import { crc32 } from 'node:zlib';
import type { ConsumedRecord } from '../../event-log.js';
import { FrameReader } from './record-frame.js';

// A batch, little endian: 8 bytes salt of the segment, u32 CRC-32 of all that follows, u32 bytes of the
// batch, f64 offset of its first record, f64 time of appending, f64 synced length, u32 number of records, u32
// batches left in its group, then the records' frames. All batches that share one sync are a group; recovery
// keeps a group as a whole or not at all.
export const BATCH_HEADER_BYTES = 48;
export const SALT_BYTES = 8;
const CHECKED_FROM = 12;

/** A batch is one record, or several of up to this many bytes together. */
export const BATCH_BYTES = 256 * 1024;

/** No batch is larger: a record of 16 MiB, its headers and the batch header. */
export const MAX_BATCH_BYTES = 32 * 1024 * 1024;

/** The only partition of the embedded log. */
export const PARTITION = 0;

export interface BatchHeader {
  readonly bytes: number;
  readonly firstOffset: number;
  /** Unix milliseconds. */
  readonly appendedAt: number;
  /** Length of the segment when the group was written: everything before it was durable by then. */
  readonly syncedLength: number;
  readonly count: number;
  /** Batches of the same group that follow this one. */
  readonly batchesLeft: number;
}

/** The header at `start`, unchecked; undefined when no batch of the segment can start there. */
export function readBatchHeader(source: Buffer, start: number, salt: Buffer): BatchHeader | undefined {
  if (start + BATCH_HEADER_BYTES > source.length) return undefined;
  if (source.compare(salt, 0, SALT_BYTES, start, start + SALT_BYTES) !== 0) return undefined;
  const bytes = source.readUInt32LE(start + 12);
  if (bytes < BATCH_HEADER_BYTES || bytes > MAX_BATCH_BYTES) return undefined;
  return {
    bytes,
    firstOffset: source.readDoubleLE(start + 16),
    appendedAt: source.readDoubleLE(start + 24),
    syncedLength: source.readDoubleLE(start + 32),
    count: source.readUInt32LE(start + 40),
    batchesLeft: source.readUInt32LE(start + 44),
  };
}

/**
 * Writes the header at the start of `target`. The checksum continues over `value` when the value is not part
 * of `target`.
 */
export function writeBatchHeader(target: Buffer, salt: Buffer, header: BatchHeader, value?: Buffer): void {
  salt.copy(target, 0);
  target.writeUInt32LE(header.bytes, 12);
  target.writeDoubleLE(header.firstOffset, 16);
  target.writeDoubleLE(header.appendedAt, 24);
  target.writeDoubleLE(header.syncedLength, 32);
  target.writeUInt32LE(header.count, 40);
  target.writeUInt32LE(header.batchesLeft, 44);
  const checksum = crc32(target.subarray(CHECKED_FROM));
  target.writeUInt32LE(value === undefined ? checksum : crc32(value, checksum), 8);
}

/** Whether the bytes are those that were written. */
export function hasValidChecksum(batch: Buffer): boolean {
  return crc32(batch.subarray(CHECKED_FROM)) === batch.readUInt32LE(8);
}

/** Appends the records of a batch to `target`. Values are views of the batch. */
export function decodeBatch(
  batch: Buffer,
  header: Pick<BatchHeader, 'count' | 'firstOffset' | 'appendedAt'>,
  target: ConsumedRecord[],
): void {
  const { count, firstOffset, appendedAt } = header;
  const frames = new FrameReader(batch);
  let at = BATCH_HEADER_BYTES;
  for (let index = 0; index < count; index += 1) {
    const { key, value, headers, end } = frames.read(at);
    target.push({ key, value, headers, partition: PARTITION, offset: firstOffset + index, appendedAt });
    at = end;
  }
}
