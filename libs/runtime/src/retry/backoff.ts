const INITIAL_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Returns the delay before retry number `attempt` (from 0), in milliseconds: exponential from 1 s to 60 s with full jitter,
 * so that clients that failed together do not retry together.
 * Source: AWS Architecture Blog, "Exponential Backoff And Jitter" (2015), "full jitter".
 * @param random a number from 0 (included) to 1 (excluded)
 * @param maxMs maximum delay
 */
export function backoffMs(attempt: number, random: number, maxMs = MAX_BACKOFF_MS): number {
  return random * Math.min(maxMs, INITIAL_MS * 2 ** Math.min(attempt, 30));
}
