import { LRUCache } from 'lru-cache';
import type { ProviderCondition } from '../kinds/metric-kind.js';

/** Failures in a row that open the breaker. */
const MAX_FAILURES = 5;
const FIRST_PAUSE_MS = 10_000;
/** A trial that the provider refuses costs nothing; one that it does not answer may be charged. */
const MAX_PAUSE_MS = { refused: 30_000, unanswered: 300_000 } as const;
/** Shortest pause, also of a provider that asks for a shorter one. */
const MIN_PAUSE_MS = 1_000;
/** LRU capacity: a project can name any number of providers. */
const MAX_PROVIDERS = 50;

/** A call of a provider, from {@link ProviderBreaker.begin} to {@link ProviderBreaker.end}. */
export interface ProviderCall {
  readonly provider: string;
  /** Pauses of the provider that had begun before the call. */
  readonly pausesBefore: number;
}

/** State of a provider that has failed since its last success, for the calls of a project. */
export interface ProviderState {
  readonly provider: string;
  /** Failures in a row. */
  readonly failures: number;
  /** Unix milliseconds; 0 while the provider is called. */
  readonly pausedUntil: number;
}

interface State {
  readonly failures: number;
  readonly pausedUntil: number;
  /** Pauses since the last success. */
  readonly pauses: number;
  /** Counts the pauses of all times, so that calls know whether one has begun since. */
  readonly begun: number;
  /** Whether the call that tries the provider after a pause runs. */
  readonly isTried: boolean;
}

const HEALTHY: State = { failures: 0, pausedUntil: 0, pauses: 0, begun: 0, isTried: false };

/**
 * Pauses the calls of a project to a provider that fails, while evaluations wait: as long as the provider asks, otherwise, after 5 failures in a row,
 * for 10 s, and for twice as long after each failed trial, up to 30 s, or 5 minutes if it does not answer. One call tries the provider
 * after a pause. Calls that began before a pause do not lengthen it, unless the provider asks for it, and do not end it.
 */
export class ProviderBreaker {
  readonly #states = new LRUCache<string, State>({ max: MAX_PROVIDERS });

  /** @param now Unix milliseconds */
  constructor(private readonly now: () => number) {}

  /** Returns whether a call may start. */
  mayStart(provider: string): boolean {
    const { pausedUntil, isTried } = this.#of(provider);
    return pausedUntil === 0 || (this.now() >= pausedUntil && !isTried);
  }

  /** Starts a call; undefined when none may start. */
  begin(provider: string): ProviderCall | undefined {
    if (!this.mayStart(provider)) return undefined;
    const state = this.#of(provider);
    if (state.pausedUntil > 0) this.#states.set(provider, { ...state, isTried: true });
    return { provider, pausesBefore: state.begun };
  }

  /**
   * Ends a call with what it has shown; one that sent nothing shows nothing. Returns whether the provider has recovered: it was paused,
   * and is called again.
   */
  end({ provider, pausesBefore }: ProviderCall, condition: ProviderCondition | undefined): boolean {
    const state = this.#of(provider);
    const isCurrent = pausesBefore === state.begun;
    if (condition?.failed) {
      const next = isCurrent ? this.#failed(state, condition) : this.#lengthened(state, condition);
      this.#states.set(provider, next);
      return false;
    }
    if (!isCurrent) return false;
    const isPaused = state.pausedUntil > 0;
    if (condition === undefined) {
      if (isPaused) this.#states.set(provider, { ...state, isTried: false });
      return false;
    }
    if (state !== HEALTHY) this.#states.set(provider, { ...HEALTHY, begun: state.begun });
    return isPaused;
  }

  /** Returns the providers whose last call has failed. */
  states(): ProviderState[] {
    return [...this.#states.entries()]
      .filter(([, { failures }]) => failures > 0)
      .map(([provider, { failures, pausedUntil }]) => ({ provider, failures, pausedUntil }));
  }

  #failed(state: State, { retryAfterMs = 0, isUnanswered = false }: ProviderCondition): State {
    const failures = state.failures + 1;
    if (state.pausedUntil === 0 && failures < MAX_FAILURES && retryAfterMs === 0)
      return { ...state, failures };
    const longest = MAX_PAUSE_MS[isUnanswered ? 'unanswered' : 'refused'];
    const grown = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(state.pauses, 10), longest);
    const pauseMs = retryAfterMs > 0 ? Math.max(retryAfterMs, MIN_PAUSE_MS) : grown;
    const [pauses, begun] = [state.pauses + 1, state.begun + 1];
    return { failures, pausedUntil: this.now() + pauseMs, pauses, begun, isTried: false };
  }

  #lengthened(state: State, { retryAfterMs = 0 }: ProviderCondition): State {
    if (state.pausedUntil === 0 || retryAfterMs === 0) return state;
    return { ...state, pausedUntil: Math.max(state.pausedUntil, this.now() + retryAfterMs) };
  }

  #of(provider: string): State {
    return this.#states.get(provider) ?? HEALTHY;
  }
}
