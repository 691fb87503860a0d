const FIRST_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Returns the milliseconds to wait after failed attempt number `attempt`, counted from 0: exponential from 1
 * s to 60 s with full jitter, so that readers that failed together do not retry together.
 * Source: AWS Architecture Blog, "Exponential Backoff And Jitter" (2015), "full jitter".
 * @param random a number from 0 (included) to 1 (excluded)
 * @param maxMs replaces the maximum of 60 s
 */
export function backoffMs(attempt: number, random: number, maxMs = MAX_BACKOFF_MS): number {
  return random * Math.min(maxMs, FIRST_MS * 2 ** Math.min(attempt, 30));
}
