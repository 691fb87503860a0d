import { performance } from 'node:perf_hooks';

/** Time between the starts of two batches of the store reader, in milliseconds. */
export const BATCH_INTERVALS = { idle: 100, busy: 200, saturated: 500 };

/** Share of the time that the event loop is busy from which a process counts as busy, and as saturated. */
const BUSY = 0.6;
const SATURATED = 0.85;
/** Time over which the share is measured, in milliseconds. */
const WINDOW_MS = 250;

/** What the event loop has done up to now, in milliseconds. */
export interface LoopTimes {
  readonly active: number;
  readonly idle: number;
}

export interface BatchIntervalOptions {
  /** Interval while the event loop has time. */
  readonly idle?: number;
  readonly loopTimes?: () => LoopTimes;
}

/**
 * Returns a function that chooses the time between two batches by how busy the event loop was. The fixed cost of an
 * insert is about 26 ms of CPU, whatever it writes: a process that has time stores soon, and one that has none
 * writes fewer and larger batches, which leaves it more time for everything else.
 */
export function makeBatchInterval({
  idle: idleMs = BATCH_INTERVALS.idle,
  loopTimes = () => performance.eventLoopUtilization(),
}: BatchIntervalOptions = {}): () => number {
  let since = loopTimes();
  let interval = idleMs;
  return function batchInterval(): number {
    const now = loopTimes();
    const [active, idle] = [now.active - since.active, now.idle - since.idle];
    if (active + idle >= WINDOW_MS) {
      interval = intervalAt(active / (active + idle)) ?? idleMs;
      since = now;
    }
    return interval;
  };
}

/** Returns undefined while the event loop has time. */
function intervalAt(utilization: number): number | undefined {
  if (utilization >= SATURATED) return BATCH_INTERVALS.saturated;
  return utilization >= BUSY ? BATCH_INTERVALS.busy : undefined;
}
