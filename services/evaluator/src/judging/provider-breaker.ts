/** Failures in a row that open the breaker. */
const MAX_FAILURES = 5;
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 300_000;
/** LRU capacity. */
const MAX_PROVIDERS = 1_000;

/** What a request has shown about a provider. */
export interface ProviderCondition {
  readonly failed: boolean;
  /** Delay that the provider has asked for. */
  readonly retryAfterMs?: number;
}

interface ProviderState {
  readonly failures: number;
  /** Unix milliseconds; 0 while the provider is called. */
  readonly pausedUntil: number;
  readonly pauses: number;
}

const HEALTHY: ProviderState = { failures: 0, pausedUntil: 0, pauses: 0 };

/**
 * Pauses the calls of a provider that fails: after 5 failures in a row for 10 s, then, while a single call fails, for
 * twice as long each time, up to 5 minutes. Evaluations wait meanwhile.
 */
export class ProviderBreaker {
  readonly #states = new Map<string, ProviderState>();

  /** @param now Unix milliseconds */
  constructor(private readonly now: () => number) {}

  /** Returns whether a call may start, beside those that run: after a pause only one. */
  mayStart(provider: string, running: number): boolean {
    const { pausedUntil } = this.#of(provider);
    return pausedUntil === 0 || (this.now() >= pausedUntil && running === 0);
  }

  /** Takes note of an evaluation that ended; one that has sent nothing changes nothing. */
  record(provider: string, condition: ProviderCondition | undefined): void {
    if (condition === undefined) return;
    if (condition.failed) this.#failed(provider, condition.retryAfterMs);
    else this.#states.delete(provider);
  }

  #failed(provider: string, retryAfterMs = 0): void {
    const { failures, pauses } = this.#of(provider);
    const isPaused = pauses > 0 || failures + 1 >= MAX_FAILURES;
    const pauseMs = Math.min(Math.max(FIRST_PAUSE_MS * 2 ** pauses, retryAfterMs), MAX_PAUSE_MS);
    this.#states.delete(provider);
    if (this.#states.size >= MAX_PROVIDERS) this.#states.clear();
    this.#states.set(provider, {
      failures: failures + 1,
      pausedUntil: isPaused ? this.now() + pauseMs : 0,
      pauses: isPaused ? pauses + 1 : 0,
    });
  }

  #of(provider: string): ProviderState {
    return this.#states.get(provider) ?? HEALTHY;
  }
}
