const FIRST_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

/**
 * Milliseconds to wait before try number `attempt` + 1 (the first failed try is 0): exponential from 1 s to 60 s with full jitter,
 * so that readers that failed together do not come back together.
 * Source: AWS Architecture Blog, "Exponential Backoff And Jitter" (2015), "full jitter".
 * @param random a number from 0 (included) to 1 (excluded)
 * @param longestMs the longest wait in place of 60 s
 */
export function backoffMs(attempt: number, random: number, longestMs = MAX_BACKOFF_MS): number {
  return random * Math.min(longestMs, FIRST_MS * 2 ** Math.min(attempt, 30));
}
