import { performance } from 'node:perf_hooks';

/** Time between the starts of two batches of a reader, in milliseconds. */
export interface BatchIntervals {
  /** While the event loop has time. */
  readonly idle: number;
  /** While it has little. */
  readonly busy: number;
  /** While it has something to do and clients read nothing; absent: as for clients that read. */
  readonly unread?: number;
}

/** Intervals of the store reader. */
export const STORE_INTERVALS = {
  /** No other process writes to the store. */
  exclusive: { idle: 100, busy: 200, unread: 500 },
  shared: { idle: 200, busy: 200 },
} as const;

/** Time without a query after which no client waits for what is stored, in milliseconds. */
export const UNREAD_AFTER_MS = 2_000;
/** Share of the time that the event loop is busy from which a process counts as busy. */
const BUSY = 0.6;
/** The same while clients read nothing: small inserts are most of the cost of such a load. */
const BUSY_UNREAD = 0.25;
/** Time over which the share is measured, in milliseconds. */
const WINDOW_MS = 250;

/** What the event loop has done up to now, in milliseconds. */
export interface LoopTimes {
  readonly active: number;
  readonly idle: number;
}

export interface BatchIntervalSources {
  /** Queries that clients have asked; absent: unknown. */
  readonly queries?: () => number;
  readonly loopTimes?: () => LoopTimes;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/**
 * Returns a function that chooses the time between two batches by how busy the event loop was. The fixed cost of an
 * insert is about 26 ms of CPU, whatever it writes: a process that has time stores soon, and one that has little
 * writes fewer and larger batches, the more so while no client reads (ADR 041).
 */
export function makeBatchInterval(
  intervals: BatchIntervals,
  {
    queries,
    loopTimes = () => performance.eventLoopUtilization(),
    now = () => performance.now(),
  }: BatchIntervalSources = {},
): () => number {
  const isUnread = queries ? makeIsUnread(queries, now) : () => false;
  let since = loopTimes();
  let share = 0;
  return function batchInterval(): number {
    const times = loopTimes();
    const [active, idle] = [times.active - since.active, times.idle - since.idle];
    if (active + idle >= WINDOW_MS) {
      share = active / (active + idle);
      since = times;
    }
    // Asked each time, so that it knows when the last query came.
    const unread = isUnread() ? intervals.unread : undefined;
    if (unread !== undefined && share >= BUSY_UNREAD) return unread;
    return share >= BUSY ? intervals.busy : intervals.idle;
  };
}

/** Returns a function that tells whether clients have asked nothing for a while. */
function makeIsUnread(queries: () => number, now: () => number): () => boolean {
  let asked = queries();
  let askedAt = now();
  return function isUnread(): boolean {
    if (queries() !== asked) {
      asked = queries();
      askedAt = now();
    }
    return now() - askedAt >= UNREAD_AFTER_MS;
  };
}
