import type { LogRecord, ConsumedRecord } from '../event-log.js';
import { cutIntoBlocks, decodeBlock, encodeBlock, readHead } from './block.js';
import type { Change } from './group-commit.js';
import { findExpired, type Retention } from './retention.js';
import { commit, keyOf, numberOf, type Tables } from './tables.js';

/** The log's blocks on disk and, in memory, where they begin and end. What has not been synced is never seen. */
export class BlockStore {
  private firstKept = 0;
  private nextOffset = 0;
  private bytesBeforeFirst = 0;
  private writtenBytes = 0;

  constructor(private readonly tables: Tables) {
    for (const { key, value } of tables.blocks.getRange({ limit: 1 })) {
      this.firstKept = numberOf(key);
      this.bytesBeforeFirst = readHead(value).bytesBefore;
    }
    for (const { key, value } of tables.blocks.getRange({ limit: 1, reverse: true })) {
      this.nextOffset = numberOf(key) + readHead(value).count;
      this.writtenBytes = readHead(value).bytesBefore + value.length;
    }
  }

  /** First offset that is kept. */
  get first(): number {
    return this.firstKept;
  }

  /** Offset that the next record gets. */
  get end(): number {
    return this.nextOffset;
  }

  /** Bytes of all blocks ever written. */
  get bytesWritten(): number {
    return this.writtenBytes;
  }

  /** Bytes of the blocks that are kept. */
  get keptBytes(): number {
    return this.writtenBytes - this.bytesBeforeFirst;
  }

  /** Writes all changes in one transaction; places are given to the records only once it is on disk. */
  async commit(changes: readonly Change[], now: number): Promise<void> {
    const records = changes.flatMap((change) => change.records);
    const { blocks, bytesWritten } = this.encode(records, now);
    await commit(this.tables, () => {
      for (const { key, block } of blocks) void this.tables.blocks.put(key, block);
      for (const change of changes) change.write?.();
    });
    this.nextOffset += records.length;
    this.writtenBytes = bytesWritten;
  }

  /** The records from `offset` on that stand in the same block. @throws AppError `INTERNAL_ERROR` when the block is damaged */
  readFrom(offset: number): readonly ConsumedRecord[] {
    for (const { key, value } of this.tables.blocks.getRange({
      start: keyOf(offset),
      reverse: true,
      limit: 1,
    })) {
      const first = numberOf(key);
      const records = decodeBlock(value, first);
      return offset === first ? records : records.slice(offset - first);
    }
    return [];
  }

  /**
   * Removes the oldest blocks that are over a limit and read by all groups, some at a time.
   * @returns whether any were removed, so that more may be waiting
   */
  async sweep(retention: Retention, now: number, readByAll: number): Promise<boolean> {
    const found = findExpired(this.tables, {
      retention,
      now,
      bytesWritten: this.writtenBytes,
      readByAll,
      end: this.end,
    });
    if (found === undefined) return false;
    await commit(this.tables, () => {
      for (const key of found.keys) void this.tables.blocks.remove(key);
    });
    this.firstKept = found.first;
    this.bytesBeforeFirst = found.bytesBefore;
    return true;
  }

  private encode(records: readonly LogRecord[], appendedAt: number) {
    let nextOffset = this.nextOffset;
    let bytesWritten = this.writtenBytes;
    const blocks = cutIntoBlocks(records).map((group) => {
      const block = encodeBlock(group, { appendedAt, bytesBefore: bytesWritten });
      const key = keyOf(nextOffset);
      nextOffset += group.length;
      bytesWritten += block.length;
      return { key, block };
    });
    return { blocks, bytesWritten };
  }
}
