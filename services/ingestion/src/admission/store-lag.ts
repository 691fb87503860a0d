import type { LogPosition } from '@assay/event-log';
import { CatchUp } from './catch-up.js';
import { StoreCapacity } from './store-capacity.js';
import { UnstoredCosts, type Interval } from './unstored-costs.js';

export interface StoreLagOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** How far the event store may be behind before projects with more than their share are refused; 0: any time. */
  readonly maxLagMs: number;
}

/** State of the `store` reader. */
export interface StoreObservation {
  readonly end: LogPosition;
  readonly position: LogPosition;
}

/** A project counts among those that share the event store for this long after its last request. */
const ACTIVE_MS = 600_000;
/** Projects of which the last request is known; the least recent ones are forgotten. */
const MAX_ACTIVE = 10_000;

/**
 * Decides which projects may append, from what this process has appended and the position of the `store` reader.
 * The reader processes the log in order, so what one project appends delays what others append later.
 *
 * A project is refused only while all of this holds:
 * - the reader makes progress, and is not catching up after an outage of the event store;
 * - what is not stored yet takes longer than `maxLagMs`, by the measured throughput of the reader;
 * - more than one project has sent requests in the last ten minutes;
 * - the project has more unstored than an equal share of what is stored in `maxLagMs`.
 *
 * A project of which everything is stored is always admitted.
 */
export class StoreLag {
  private readonly unstored = new UnstoredCosts();
  private readonly capacity: StoreCapacity;
  private readonly catchUp = new CatchUp();
  /** Time of the last request by project, the least recent first. */
  private readonly activeAt = new Map<string, number>();
  /** The last of them. */
  private latest: string | undefined;

  constructor(private readonly options: StoreLagOptions) {
    this.capacity = new StoreCapacity(options.now());
  }

  /** Returns whether the project may append now. */
  admits(projectId: string): boolean {
    const { now, maxLagMs } = this.options;
    this.recordActivity(projectId, now());
    if (!this.isHeldBack(projectId)) return true;
    const active = this.activeProjects(now());
    return active < 2 || this.unstored.of(projectId) <= (maxLagMs * this.capacity.perMs) / active;
  }

  /**
   * Returns whether a request of the project should wait for a while: also one of the only project, so that ingestion
   * slows down to the throughput of the reader instead of building up a backlog.
   */
  delays(projectId: string): boolean {
    return (
      !this.admits(projectId) || (this.isHeldBack(projectId) && this.activeProjects(this.options.now()) < 2)
    );
  }

  /**
   * Accounts for records that are being appended. Call the returned function when their append has settled,
   * whatever its outcome: a failed append may have written them.
   */
  begin(projectId: string, cost: number): () => void {
    return this.unstored.begin(projectId, cost);
  }

  /**
   * Reads the end of the log and the position of the reader, and updates the account with what is stored.
   * @throws what `read` throws
   */
  async observe(read: () => Promise<StoreObservation>): Promise<void> {
    const interval = this.unstored.cut(this.options.now());
    try {
      this.update(interval, await read());
    } catch (error) {
      this.unstored.reopen(interval);
      throw error;
    }
  }

  /** Returns the estimated time until everything that this process has appended is stored, in milliseconds. */
  lagMs(): number {
    return this.unstored.total / this.capacity.perMs;
  }

  /** Returns whether anything that this process has appended is not stored yet, as far as is known. */
  hasUnstored(): boolean {
    return this.unstored.total > 0;
  }

  private update(interval: Interval, { end, position }: StoreObservation): void {
    const now = this.options.now();
    const hasAdvanced = this.unstored.advanced(position);
    const oldestAt = this.unstored.oldestAt();
    const stored = this.unstored.observe({ ...interval, end }, position);
    const unstored = this.unstored.total;
    if (this.catchUp.isCatchingUp) this.capacity.restart(now);
    this.capacity.observe({ now, stored, hasAdvanced, oldestAt, unstored });
    const isStalled = this.capacity.isStalled(now);
    const limit = this.options.maxLagMs * this.capacity.perMs;
    this.catchUp.observe({ end, position, isStalled, unstored, limit });
  }

  /** Returns whether the project has something unstored, and the reader makes progress but is behind. */
  private isHeldBack(projectId: string): boolean {
    const { now, maxLagMs } = this.options;
    if (maxLagMs === 0 || this.unstored.of(projectId) === 0 || this.lagMs() <= maxLagMs) return false;
    return !this.catchUp.isCatchingUp && !this.capacity.isStalled(now());
  }

  private recordActivity(projectId: string, now: number): void {
    // Setting the most recent one again keeps the order; removing it each time would make the map grow and shrink.
    if (this.latest !== projectId) this.activeAt.delete(projectId);
    this.latest = projectId;
    this.activeAt.set(projectId, now);
    if (this.activeAt.size <= MAX_ACTIVE) return;
    const [oldest] = this.activeAt.keys();
    if (oldest !== undefined) this.activeAt.delete(oldest);
  }

  private activeProjects(now: number): number {
    for (const [projectId, at] of this.activeAt) {
      if (now - at <= ACTIVE_MS) break;
      this.activeAt.delete(projectId);
    }
    return this.activeAt.size;
  }
}
