import { crc32 } from 'node:zlib';
import { AppError } from '@assay/errors';
import type { LogRecord, ConsumedRecord } from '../event-log.js';
import { FrameReader, frameBytes, writeFrame } from './record-frame.js';

// A block is one LMDB value and holds the records of one or several appends: u32 CRC-32 of all that follows, u32 format,
// f64 time of appending, f64 bytes of all blocks before it, u32 number of records, then the records' frames.
const FORMAT = 1;
const CRC_BYTES = 4;
const HEAD_BYTES = 28;

/** Blocks grow to this size, so that one page run, one checksum and one key serve many records. */
export const BLOCK_BYTES = 256 * 1024;

/** The only partition of the embedded log: one process reads and writes it, and one order is the strongest. */
export const PARTITION = 0;

/** What stands in a block's head. */
export interface BlockHead {
  /** Unix milliseconds. */
  readonly appendedAt: number;
  /** Bytes of all blocks that were ever written before this one: the difference of two is what lies between them. */
  readonly bytesBefore: number;
  readonly count: number;
}

/** Cuts records into groups of about {@link BLOCK_BYTES}, in order; a larger record is a group of its own. */
export function cutIntoBlocks(records: readonly LogRecord[]): LogRecord[][] {
  const groups: LogRecord[][] = [];
  let room = 0;
  for (const record of records) {
    const bytes = frameBytes(record);
    if (bytes > room || groups.length === 0) {
      groups.push([]);
      room = BLOCK_BYTES;
    }
    groups.at(-1)?.push(record);
    room -= bytes;
  }
  return groups;
}

/** The bytes of a block. */
export function encodeBlock(records: readonly LogRecord[], head: Omit<BlockHead, 'count'>): Buffer {
  const block = Buffer.allocUnsafe(records.reduce((bytes, record) => bytes + frameBytes(record), HEAD_BYTES));
  block.writeUInt32LE(FORMAT, 4);
  block.writeDoubleLE(head.appendedAt, 8);
  block.writeDoubleLE(head.bytesBefore, 16);
  block.writeUInt32LE(records.length, 24);
  let at = HEAD_BYTES;
  for (const record of records) at = writeFrame(block, at, record);
  block.writeUInt32LE(crc32(block.subarray(CRC_BYTES)), 0);
  return block;
}

/** The head of a block, without a look at its records. */
export function readHead(block: Buffer): BlockHead {
  return {
    appendedAt: block.readDoubleLE(8),
    bytesBefore: block.readDoubleLE(16),
    count: block.readUInt32LE(24),
  };
}

/**
 * The records of a block whose first one has the offset `first`. Values are views of the block.
 * @throws AppError `INTERNAL_ERROR` when the bytes are not those that were written: damage is reported, never handed on
 */
export function decodeBlock(block: Buffer, first: number): ConsumedRecord[] {
  if (block.length < HEAD_BYTES || crc32(block.subarray(CRC_BYTES)) !== block.readUInt32LE(0)) {
    throw new AppError('INTERNAL_ERROR', 'a block of the event log is damaged', {
      details: { offset: first },
    });
  }
  if (block.readUInt32LE(4) !== FORMAT) {
    throw new AppError('INTERNAL_ERROR', 'a block of the event log has an unknown format', {
      details: { offset: first },
    });
  }
  const { count, appendedAt } = readHead(block);
  const records: ConsumedRecord[] = [];
  const frames = new FrameReader(block);
  let at = HEAD_BYTES;
  for (let index = 0; index < count; index += 1) {
    const { key, value, headers, end } = frames.read(at);
    records.push({ key, value, headers, partition: PARTITION, offset: first + index, appendedAt });
    at = end;
  }
  return records;
}
