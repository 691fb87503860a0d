import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@assay/runtime';
import { withDeadline } from '../deadline.js';
import type { LogPosition } from '../event-log.js';

export interface StartPositionsOptions {
  readonly group: string;
  readonly logger: Logger;
  /** Returns those of the partitions whose committed position is to be lowered, and to which offset. */
  rewinds(partitions: readonly number[]): Promise<LogPosition>;
  /** Continues reading at the offset, from the next fetch on. */
  seek(partition: number, offset: number): void;
  /** Commits the lowered positions. */
  commit(positions: LogPosition): Promise<void>;
}

const RETRY_MS = 1_000;

/** Lowers the positions of partitions after they were assigned. Until it has, the partitions must not be read. */
export class StartPositions {
  private assignment = 0;
  private pending: Promise<void> | undefined;

  constructor(private readonly options: StartPositionsOptions) {}

  /** Call for each assignment. A later assignment replaces an earlier one. */
  assigned(partitions: readonly number[]): void {
    const assignment = ++this.assignment;
    this.pending = this.apply(assignment, partitions).finally(() => {
      if (assignment === this.assignment) this.pending = undefined;
    });
  }

  /** Whether positions of assigned partitions are still to be lowered. */
  get isPending(): boolean {
    return this.pending !== undefined;
  }

  /** Waits until all positions are lowered. @throws AppError `UNAVAILABLE` after `ms` milliseconds */
  async settled(ms: number): Promise<void> {
    if (this.pending !== undefined)
      await withDeadline(this.pending, ms, 'the positions to start reading at are unknown');
  }

  stop(): void {
    this.assignment += 1;
  }

  private async apply(assignment: number, partitions: readonly number[]): Promise<void> {
    const { group, logger } = this.options;
    const isCurrent = () => assignment === this.assignment;
    while (isCurrent()) {
      try {
        const positions = await this.options.rewinds(partitions);
        if (!isCurrent() || positions.size === 0) return;
        for (const [partition, offset] of positions) this.options.seek(partition, offset);
        return await this.options.commit(positions);
      } catch (error) {
        if (!isCurrent()) return;
        logger.warn('the positions to start reading at are unknown, retrying', { group }, error);
        await delay(RETRY_MS);
      }
    }
  }
}
