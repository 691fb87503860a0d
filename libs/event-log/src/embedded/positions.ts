import type { Tables } from './tables.js';

/** Committed offsets of the groups: on disk, and mirrored in memory once they are there. */
export class Positions {
  private readonly committed = new Map<string, number>();

  constructor(private readonly tables: Tables) {
    for (const { key, value } of tables.positions.getRange({}))
      this.committed.set(key.toString(), value.readDoubleLE(0));
  }

  /** Undefined for a group that never read. */
  of(group: string): number | undefined {
    return this.committed.get(group);
  }

  /** Offset up to which every group that ever read has committed; none has: infinity. */
  lowest(): number {
    return Math.min(...this.committed.values());
  }

  /** To be called inside a transaction. */
  write(group: string, offset: number): void {
    const value = Buffer.allocUnsafe(8);
    value.writeDoubleLE(offset, 0);
    void this.tables.positions.put(Buffer.from(group), value);
  }

  /** To be called once the transaction is on disk. Positions only grow. */
  wrote(group: string, offset: number): void {
    this.committed.set(group, Math.max(offset, this.committed.get(group) ?? 0));
  }
}
