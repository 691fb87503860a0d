import { dirname } from 'node:path';
import type { FileSystem, OpenFile } from '../files/file-system.js';
import { writeFully } from '../files/write-file.js';
import type { EncodedBatch } from './encode-group.js';
import type { Segment } from './segment.js';
import { encodeSegmentHeader } from './segment-header.js';

/** Creates the file of a segment, durably. Leaves nothing behind when it fails, as far as the disk allows. */
export async function createSegmentFile(fs: FileSystem, segment: Segment): Promise<OpenFile> {
  const file = await fs.open(segment.path, 'create');
  try {
    await writeFully(file, [encodeSegmentHeader(segment.header)], 0);
    await file.sync();
    await fs.syncDirectory(dirname(segment.path));
    return file;
  } catch (error) {
    await file.close().catch(() => undefined);
    await fs.remove(segment.path).catch(() => undefined);
    throw error;
  }
}

/** Appends to the last segment. */
export class SegmentWriter {
  private broken = false;

  constructor(
    readonly segment: Segment,
    private readonly file: OpenFile,
  ) {}

  /**
   * Whether the segment is sealed. After a failed sync the page cache may differ from the disk, and after a
   * failed truncation unknown bytes follow the durable ones: the segment ends at its durable length and a new
   * one is started.
   */
  get isBroken(): boolean {
    return this.broken;
  }

  /**
   * Resolves when the group is durable; then the segment includes it. When it rejects, the segment is what it
   * was before.
   */
  async append(batches: readonly EncodedBatch[], appendedAt: number): Promise<void> {
    const { segment, file } = this;
    try {
      await writeFully(file, buffersOf(batches), segment.length);
    } catch (error) {
      await this.cutBack();
      throw error;
    }
    try {
      await file.sync();
    } catch (error) {
      this.broken = true;
      await this.cutBack();
      throw error;
    }
    this.include(batches, appendedAt);
  }

  /** Syncs without writing, to report whether the disk accepts writes. */
  async sync(): Promise<void> {
    try {
      await this.file.sync();
    } catch (error) {
      this.broken = true;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async cutBack(): Promise<void> {
    try {
      await this.file.truncate(this.segment.length);
    } catch {
      this.broken = true;
    }
  }

  private include(batches: readonly EncodedBatch[], appendedAt: number): void {
    const { segment } = this;
    for (const { firstOffset, count, bytes } of batches) {
      segment.index.note(firstOffset, segment.length);
      segment.length += bytes;
      segment.end += count;
      if (count > 0) segment.lastAppendedAt = appendedAt;
    }
  }
}

function buffersOf(batches: readonly EncodedBatch[]): Buffer[] {
  const all: Buffer[] = [];
  for (const { buffers } of batches) all.push(...buffers);
  return all;
}
