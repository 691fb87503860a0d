/** Waiting and randomness, replaceable so that tests need not wait. */
export interface Timing {
  /** Resolves after `ms` milliseconds, or as soon as `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 (included) to 1 (excluded). */
  random(): number;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

export const SYSTEM_TIMING: Timing = {
  random: Math.random,
  now: () => performance.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    }),
};
