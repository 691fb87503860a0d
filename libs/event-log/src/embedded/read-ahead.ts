import type { BatchLimits } from '../batch-cut.js';
import type { ConsumedRecord } from '../event-log.js';

/**
 * Records read from the log but not yet delivered, and the end of the next batch. Each record is visited one
 * time.
 */
export class ReadAhead {
  private records: ConsumedRecord[] = [];
  private end = 0;
  private bytes = 0;

  constructor(
    private readonly readFrom: (offset: number) => Promise<readonly ConsumedRecord[]>,
    private readonly limits: BatchLimits,
  ) {}

  /**
   * Reads from `position` on until a batch is full, or nothing more is there. Records before damage come as a
   * batch of their own.
   * @returns whether it is full
   */
  async fill(position: number): Promise<boolean> {
    if (this.records[0]?.offset !== position) this.clear();
    while (!this.cut()) {
      const more = await this.readOn(position + this.records.length);
      if (more === undefined) return true;
      if (more.length === 0) return false;
      this.records.push(...more);
    }
    return true;
  }

  /** The records of the next batch; none when nothing was read. */
  take(): readonly ConsumedRecord[] {
    const batch = this.records.slice(0, this.end);
    this.records = this.records.slice(this.end);
    this.end = 0;
    this.bytes = 0;
    return batch;
  }

  clear(): void {
    this.records = [];
    this.end = 0;
    this.bytes = 0;
  }

  /**
   * The records from `offset` on; undefined when they cannot be read, but others that come before them can be
   * handed over.
   */
  private async readOn(offset: number): Promise<readonly ConsumedRecord[] | undefined> {
    try {
      return await this.readFrom(offset);
    } catch (error) {
      if (this.records.length === 0) throw error;
      return undefined;
    }
  }

  /** Moves the cut on over what was read. @returns whether the batch is full */
  private cut(): boolean {
    for (; this.end < this.records.length; this.end += 1) {
      if (this.end === this.limits.maxRecords) return true;
      const bytes = this.bytes + (this.records[this.end]?.value.length ?? 0);
      if (this.end > 0 && bytes > this.limits.maxBytes) return true;
      this.bytes = bytes;
    }
    return this.end === this.limits.maxRecords;
  }
}
