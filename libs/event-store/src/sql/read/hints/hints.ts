import { NewestHours } from './newest-hours.js';
import { RecentValues } from './recent-values.js';
import { RunSessions } from './run-sessions.js';
import { TotalCache } from './total-cache.js';

/** Entries of each kind, of all projects. Beyond it the project with the most loses its oldest one. */
const CAPACITIES = { pages: 1_000, runs: 1_000 };

/**
 * What a store remembers of its reads, so that the next ones look there first. The plain read defines each answer: without hints, or
 * with wrong ones, it is the same.
 */
export interface Hints {
  readonly newestHours: NewestHours;
  readonly runSessions: RunSessions;
  /** Parts of runs with many events, which are not read one row each again. */
  readonly largeRuns: RecentValues<true>;
  readonly totals: TotalCache;
}

export interface HintOptions {
  /** `off`: nothing is remembered. Tests and benches compare with it. */
  readonly hints?: 'off';
  /** Numbers of events; absent for a store that other processes write to, which keeps none. */
  readonly totals?: TotalCache;
}

/** @param now milliseconds, of a clock that never goes back */
export function makeHints(
  { hints, totals }: HintOptions,
  now: () => number = () => performance.now(),
): Hints {
  const capacity = (kind: keyof typeof CAPACITIES) => (hints === 'off' ? 0 : CAPACITIES[kind]);
  return {
    newestHours: new NewestHours(capacity('pages'), now),
    runSessions: new RunSessions(capacity('runs')),
    largeRuns: new RecentValues(capacity('runs')),
    totals: hints === 'off' || totals === undefined ? new TotalCache(0) : totals,
  };
}
