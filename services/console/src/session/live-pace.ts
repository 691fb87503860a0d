/** Shortest time between two refreshes, and as a multiple of the time that the last one took. */
const MIN_REFRESH_MS = 3_000;
const REFRESH_SHARE = 20;

/** Returns how long nothing is read after a refresh that took this long, both in milliseconds: reading has a twentieth of the time at most. */
export function restAfter(tookMs: number): number {
  return Math.max(MIN_REFRESH_MS, tookMs * REFRESH_SHARE);
}
