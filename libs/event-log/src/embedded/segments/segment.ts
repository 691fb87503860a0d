import { basename } from 'node:path';
import { AppError } from '@assay/errors';
import type { FileSystem, OpenFile } from '../files/file-system.js';
import { SEGMENT_HEADER_BYTES, type SegmentHeader } from './segment-header.js';
import { SparseIndex } from './sparse-index.js';

/** A segment file: its records and durable length. Readers share one file descriptor. */
export class Segment {
  readonly index: SparseIndex;
  /** Offset after its last record. */
  end: number;
  /** Durable bytes. */
  length: number;
  /**
   * When its last record was appended, Unix milliseconds; of the record before the segment while it is empty.
   */
  lastAppendedAt: number;
  private reading: Promise<OpenFile> | undefined;
  private readers = 0;

  constructor(
    private readonly fs: FileSystem,
    readonly path: string,
    readonly header: SegmentHeader,
  ) {
    this.index = new SparseIndex(header.baseOffset, SEGMENT_HEADER_BYTES);
    this.end = header.baseOffset;
    this.length = SEGMENT_HEADER_BYTES;
    this.lastAppendedAt = header.previousAppendedAt;
  }

  get isEmpty(): boolean {
    return this.end === this.header.baseOffset;
  }

  /**
   * Opens the file for reading. Each call that resolves needs a {@link release}; an unlinked file stays
   * readable until then.
   */
  async acquire(): Promise<OpenFile> {
    this.readers += 1;
    try {
      return await (this.reading ??= this.fs.open(this.path, 'read'));
    } catch (error) {
      this.reading = undefined;
      this.readers -= 1;
      throw error;
    }
  }

  async release(): Promise<void> {
    this.readers -= 1;
    if (this.readers > 0) return;
    const file = this.reading;
    this.reading = undefined;
    await (await file)?.close();
  }

  /** The error for bytes that are not those that were written. */
  damage(position: number, offset: number): AppError {
    return damagedBatch(this.path, position, offset);
  }
}

/** Names the file, the byte position and the offset of the first record that cannot be read. */
export function damagedBatch(path: string, position: number, offset: number): AppError {
  const file = basename(path);
  return new AppError(
    'INTERNAL_ERROR',
    `the event log is damaged in ${file} at byte ${position}, offset ${offset}`,
    {
      details: { file, position, offset },
    },
  );
}
