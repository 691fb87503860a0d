import type { ConsumedRecord } from '../../event-log.js';
import type { OpenFile } from '../files/file-system.js';
import { findOffset, readBatches, type ReadPosition } from './read-segment.js';
import type { Segment } from './segment.js';
import type { SegmentedLog } from './segmented-log.js';

/**
 * Reads a {@link SegmentedLog} forward, from memory where the records are recent. Keeps the file of one
 * segment open.
 */
export class LogCursor {
  private current: { readonly segment: Segment; readonly file: OpenFile } | undefined;
  private next: ReadPosition = { position: 0, offset: -1 };

  constructor(private readonly log: SegmentedLog) {}

  /**
   * The records from `offset` on that one read yields; empty only at the end of the log.
   * @throws AppError `INTERNAL_ERROR` naming file, position and offset when they are damaged
   */
  async readFrom(offset: number): Promise<readonly ConsumedRecord[]> {
    const recent = this.log.readRecent(offset);
    if (recent !== undefined) return recent;
    const segment = this.log.segmentOf(offset);
    if (segment === undefined) return [];
    const file = await this.fileOf(segment);
    const start = this.next.offset === offset ? this.next : await findOffset(segment, file, offset);
    const { records, next } = await readBatches(segment, file, start);
    this.next = next;
    return from(records, offset);
  }

  /** Releases the file. */
  async close(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    await current?.segment.release();
  }

  private async fileOf(segment: Segment): Promise<OpenFile> {
    if (this.current?.segment === segment) return this.current.file;
    await this.close();
    const file = await segment.acquire();
    this.current = { segment, file };
    this.next = { position: 0, offset: -1 };
    return file;
  }
}

function from(records: readonly ConsumedRecord[], offset: number): readonly ConsumedRecord[] {
  const skip = offset - (records[0]?.offset ?? offset);
  return skip <= 0 ? records : records.slice(skip);
}
