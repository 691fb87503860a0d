/** What an observation of the reader says about its throughput. */
export interface Progress {
  readonly now: number;
  /** Cost of what was stored since the observation before it. */
  readonly stored: number;
  /** Whether the reader has made progress since then, or had nothing to read. */
  readonly hasAdvanced: boolean;
  /** When the oldest records that were not stored before were appended; undefined when there were none. */
  readonly oldestAt: number | undefined;
  /** Cost of what is not stored now. */
  readonly unstored: number;
}

/** Throughput before the first measurement, in cost per millisecond: a third of that of one free core. */
const INITIAL_PER_MS = 65_536;
/** Lower bound of the throughput, so that one slow batch does not stop a project. */
const MIN_PER_MS = 256;
/** The reader is saturated when it has not stored what is older than this. */
const SATURATED_MS = 1_000;
/** Time constant of the moving average while the reader is saturated, and of its increase while it is not. */
const AVERAGING_MS = 2_000;
const INCREASE_MS = 500;
/** Cost of the largest batch. The reader advances once per batch. */
const MAX_BATCH_COST = 512 * 1_024 * 1_024;
/** The reader stands still when it has not advanced for this many times what its batch is expected to take. */
const STALL_FACTOR = 3;
const MIN_STALL_MS = 3_000;
const MAX_STALL_MS = 30_000;

/**
 * Throughput of the `store` reader, in cost per millisecond, and whether it stands still. An observation shows at
 * least the throughput that it measures, so it may increase the estimate. It decreases the estimate only while the
 * reader is saturated: otherwise it measures how much was sent.
 */
export class StoreCapacity {
  private estimate = INITIAL_PER_MS;
  /** When the reader last made progress or had nothing to read. */
  private advancedAt: number;
  /** Since when nothing was counted as stored. */
  private measuredAt: number;
  private observedAt: number;
  /** Cost that the present batch of the reader may have. */
  private batchCost = 0;

  constructor(now: number) {
    this.advancedAt = now;
    this.measuredAt = now;
    this.observedAt = now;
  }

  /** Cost that is stored in a millisecond. */
  get perMs(): number {
    return this.estimate;
  }

  observe({ now, stored, hasAdvanced, oldestAt, unstored }: Progress): void {
    const elapsed = now - this.measuredAt;
    const isSaturated = oldestAt !== undefined && now - oldestAt >= SATURATED_MS;
    if (stored > 0 && elapsed > 0) this.average(stored / elapsed, elapsed, isSaturated);
    if (stored > 0 || oldestAt === undefined) this.measuredAt = now;
    if (hasAdvanced) this.advancedAt = now;
    if (hasAdvanced || this.batchCost === 0) this.batchCost = Math.min(unstored, MAX_BATCH_COST);
    this.observedAt = now;
  }

  /** Discards what was measured since the last observation, because the reader had other work. */
  restart(now: number): void {
    this.measuredAt = now;
  }

  /** Returns whether the reader has stood still, or was not observed, for longer than its batch can explain. */
  isStalled(now: number): boolean {
    const batchMs = (STALL_FACTOR * this.batchCost) / this.estimate;
    const limitMs = Math.min(Math.max(batchMs, MIN_STALL_MS), MAX_STALL_MS);
    return now - Math.min(this.advancedAt, this.observedAt) > limitMs;
  }

  private average(sample: number, elapsed: number, isSaturated: boolean): void {
    if (!isSaturated && sample <= this.estimate) return;
    const weight = 1 - Math.exp(-elapsed / (isSaturated ? AVERAGING_MS : INCREASE_MS));
    this.estimate = Math.max(this.estimate + weight * (sample - this.estimate), MIN_PER_MS);
  }
}
