import type { ConsumedRecord } from '../../event-log.js';
import type { OpenFile } from '../files/file-system.js';
import { BATCH_BYTES, BATCH_HEADER_BYTES, decodeBatch, hasValidChecksum, readBatchHeader } from './batch.js';
import { findBatchWrittenAfter, type FoundBatch } from './batch-scan.js';
import { FileWindow } from './file-window.js';
import type { Segment } from './segment.js';

/** Bytes that one read asks for, so that a reader that is behind needs few of them. */
const READ_BYTES = BATCH_BYTES;
const LOOKUP_WINDOW_BYTES = 64 * 1024;

/** Where the next batch of a reader starts. */
export interface ReadPosition {
  readonly position: number;
  /** Offset of the first record there. */
  readonly offset: number;
}

export interface ReadResult {
  readonly records: ConsumedRecord[];
  readonly next: ReadPosition;
}

/**
 * Finds the batch that holds `offset`, from the nearest entry of the segment's index on. Damage before the
 * batch is skipped.
 * @throws AppError `INTERNAL_ERROR` when the batch that holds the offset cannot be found
 */
export async function findOffset(segment: Segment, file: OpenFile, offset: number): Promise<ReadPosition> {
  const { salt } = segment.header;
  const window = new FileWindow(file, segment.length, LOOKUP_WINDOW_BYTES);
  let position = segment.index.floor(offset);
  for (;;) {
    const header = readBatchHeader(await window.bytes(position, BATCH_HEADER_BYTES), 0, salt);
    const batch: FoundBatch | undefined = header
      ? { ...header, position }
      : await findBatchWrittenAfter(window, salt, position + 1, 0);
    if (batch === undefined || batch.firstOffset > offset) throw segment.damage(position, offset);
    segment.index.note(batch.firstOffset, batch.position);
    if (offset < batch.firstOffset + batch.count)
      return { position: batch.position, offset: batch.firstOffset };
    position = batch.position + batch.bytes;
  }
}

/**
 * Reads the batches from `from` on that one read of the file holds: at least one with records, of any size.
 * @throws AppError `INTERNAL_ERROR` when bytes are not those that were written: damage is reported, never
 * handed on
 */
export async function readBatches(segment: Segment, file: OpenFile, from: ReadPosition): Promise<ReadResult> {
  const records: ConsumedRecord[] = [];
  let next = from;
  let wanted = READ_BYTES;
  while (records.length === 0 && next.offset < segment.end) {
    const target = Buffer.allocUnsafeSlow(Math.max(0, Math.min(wanted, segment.length - next.position)));
    const chunk = target.subarray(0, await file.read(target, next.position));
    const decoded = decodeChunk(segment, chunk, next, records);
    const isStuck = decoded.next.position === next.position;
    if (isStuck && chunk.length >= decoded.neededBytes) throw segment.damage(next.position, next.offset);
    if (isStuck && decoded.neededBytes > segment.length - next.position)
      throw segment.damage(next.position, next.offset);
    wanted = Math.max(READ_BYTES, decoded.neededBytes);
    next = decoded.next;
  }
  return { records, next };
}

/**
 * Decodes the complete batches of the chunk, up to the first damaged one.
 * @returns also how many bytes the next batch needs, as far as that is known
 * @throws AppError `INTERNAL_ERROR` when no records come before the damage
 */
function decodeChunk(segment: Segment, chunk: Buffer, from: ReadPosition, records: ConsumedRecord[]) {
  let { position, offset } = from;
  let neededBytes = BATCH_HEADER_BYTES;
  while (offset < segment.end) {
    const rest = chunk.subarray(position - from.position);
    const header = readBatchHeader(rest, 0, segment.header.salt);
    neededBytes = header?.bytes ?? BATCH_HEADER_BYTES;
    if (rest.length < neededBytes) break;
    const batch = rest.subarray(0, neededBytes);
    if (header?.firstOffset !== offset || !hasValidChecksum(batch)) {
      if (records.length === 0) throw segment.damage(position, offset);
      break;
    }
    decodeBatch(batch, header, records);
    segment.index.note(offset, position);
    position += header.bytes;
    offset += header.count;
  }
  return { next: { position, offset }, neededBytes };
}
