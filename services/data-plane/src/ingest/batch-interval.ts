import { performance } from 'node:perf_hooks';

/** Time between the starts of two batches of the store reader, in milliseconds. */
export const BATCH_INTERVALS = { idle: 100, busy: 200 };

/** Share of the time that the event loop is busy from which a process counts as busy. */
const BUSY = 0.6;
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
 * insert is about 26 ms of CPU, whatever it writes: a process that has time stores soon, and one that has little
 * writes fewer and larger batches.
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
      interval = active / (active + idle) >= BUSY ? BATCH_INTERVALS.busy : idleMs;
      since = now;
    }
    return interval;
  };
}
