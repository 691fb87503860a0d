import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { SALT_BYTES } from './batch.js';

// The first bytes of a segment file: 8 bytes magic, u32 CRC-32 of all that follows, u32 format, 8 bytes salt,
// f64 base offset, f64 time of creation, f64 time of the last record before it, 16 bytes log id.
export const SEGMENT_HEADER_BYTES = 64;
const MAGIC = Buffer.from('ASSAYLOG');
const FORMAT = 1;
const CHECKED_FROM = 12;

export interface SegmentHeader {
  /**
   * Random value at the start of each batch of the segment. Clients cannot know it, so recovery never
   * mistakes a record value for a batch.
   */
  readonly salt: Buffer;
  /** Offset of the first record. */
  readonly baseOffset: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** When the last record before the segment was appended; `createdAt` when there is none. */
  readonly previousAppendedAt: number;
  /** The log that the segment belongs to, 32 hexadecimal digits. */
  readonly logId: string;
}

export function newSegmentHeader(facts: Omit<SegmentHeader, 'salt'>): SegmentHeader {
  return { ...facts, salt: randomBytes(SALT_BYTES) };
}

export function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(SEGMENT_HEADER_BYTES);
  MAGIC.copy(bytes, 0);
  bytes.writeUInt32LE(FORMAT, 12);
  header.salt.copy(bytes, 16);
  bytes.writeDoubleLE(header.baseOffset, 24);
  bytes.writeDoubleLE(header.createdAt, 32);
  bytes.writeDoubleLE(header.previousAppendedAt, 40);
  bytes.write(header.logId, 48, 'hex');
  bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), 8);
  return bytes;
}

/** The header; undefined when the bytes are not one. */
export function decodeSegmentHeader(bytes: Buffer): SegmentHeader | undefined {
  if (bytes.length < SEGMENT_HEADER_BYTES || bytes.compare(MAGIC, 0, 8, 0, 8) !== 0) return undefined;
  const header = bytes.subarray(0, SEGMENT_HEADER_BYTES);
  if (crc32(header.subarray(CHECKED_FROM)) !== header.readUInt32LE(8)) return undefined;
  if (header.readUInt32LE(12) !== FORMAT) return undefined;
  return {
    salt: Buffer.from(header.subarray(16, 16 + SALT_BYTES)),
    baseOffset: header.readDoubleLE(24),
    createdAt: header.readDoubleLE(32),
    previousAppendedAt: header.readDoubleLE(40),
    logId: header.toString('hex', 48),
  };
}
