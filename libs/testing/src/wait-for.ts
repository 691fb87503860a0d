import { patience } from './patience.js';

const POLL_INTERVAL_MS = 10;
const DEFAULT_WITHIN_MS = 20_000;

export interface WaitOptions {
  /** Milliseconds before the wait fails, longer by {@link patience}; 20 s when absent. Only a broken product reaches it, so it can be generous. */
  readonly withinMs?: number;
  /** Milliseconds between two checks at least; 10 when absent. */
  readonly pollIntervalMs?: number;
}

/** Time between two checks, relative to the time that one took: checks that are work for the product take a quarter of the wait. */
const REST = 3;
const MAX_REST_MS = 1_000;

/**
 * Polls a condition until it holds and returns its value; `false` and `undefined` mean not yet.
 * @param what named in the error, such as `the event is stored`
 * @throws after `withinMs`, longer by {@link patience}
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  { withinMs = DEFAULT_WITHIN_MS, pollIntervalMs = POLL_INTERVAL_MS }: WaitOptions = {},
): Promise<Exclude<T, undefined | false>> {
  const limitMs = withinMs * patience;
  const deadline = performance.now() + limitMs;
  for (;;) {
    const checkedAt = performance.now();
    const value = await condition();
    const tookMs = performance.now() - checkedAt;
    if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${limitMs} ms`);
    const restMs = Math.min(tookMs * REST, MAX_REST_MS);
    await new Promise((resume) => setTimeout(resume, Math.max(pollIntervalMs, restMs)));
  }
}
