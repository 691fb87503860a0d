import { LRUCache } from 'lru-cache';

/** Timeouts in a row that pause a metric. */
export const MAX_TIMEOUTS = 20;
export const PAUSE_MS = 60_000;
/** LRU capacity: metrics whose last evaluation timed out. */
const MAX_METRICS = 10_000;

interface TimeoutState {
  readonly timeouts: number;
  /** Unix milliseconds; 0 while the metric is evaluated. */
  readonly pausedUntil: number;
}

const HEALTHY: TimeoutState = { timeouts: 0, pausedUntil: 0 };

/**
 * Pauses metrics whose code does not end: after 20 timeouts in a row for 60 s, then again after each timeout, until an evaluation
 * ends in time.
 */
export class TimeoutPauses {
  readonly #states = new LRUCache<string, TimeoutState>({ max: MAX_METRICS });

  /** @param now Unix milliseconds */
  constructor(private readonly now: () => number) {}

  /** @param key identifies a version of a metric */
  isPaused(key: string): boolean {
    return this.now() < this.#of(key).pausedUntil;
  }

  /** Takes note of an evaluation that ended. Returns whether the metric is paused from now on. */
  record(key: string, isTimeout: boolean): boolean {
    if (!isTimeout) {
      this.#states.delete(key);
      return false;
    }
    const wasPaused = this.isPaused(key);
    const timeouts = Math.min(this.#of(key).timeouts + 1, MAX_TIMEOUTS);
    const pauses = timeouts >= MAX_TIMEOUTS;
    // Evaluations that ran when the pause began do not extend it.
    if (!wasPaused) this.#states.set(key, { timeouts, pausedUntil: pauses ? this.now() + PAUSE_MS : 0 });
    return pauses && !wasPaused;
  }

  #of(key: string): TimeoutState {
    return this.#states.get(key) ?? HEALTHY;
  }
}
