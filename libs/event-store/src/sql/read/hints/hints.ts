import { RunSessions } from './run-sessions.js';
import { TotalCache } from './total-cache.js';

/** Runs, or queries for runs, of all projects. Beyond it the project with the most loses its oldest one. */
const MAX_RUNS = 1_000;

/**
 * What a store remembers of its reads, so that the next ones look there first. The plain read defines each answer: without hints, or
 * with wrong ones, it is the same.
 */
export interface Hints {
  readonly runSessions: RunSessions;
  readonly totals: TotalCache;
}

export interface HintOptions {
  /** `off`: nothing is remembered. Tests and benches compare with it. */
  readonly hints?: 'off';
  /** Numbers of events; absent for a store that other processes write to, which keeps none. */
  readonly totals?: TotalCache;
}

export function makeHints({ hints, totals }: HintOptions): Hints {
  const runs = hints === 'off' ? 0 : MAX_RUNS;
  return {
    runSessions: new RunSessions(runs),
    totals: hints === 'off' || totals === undefined ? new TotalCache(0) : totals,
  };
}
