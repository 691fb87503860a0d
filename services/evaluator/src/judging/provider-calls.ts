import type { Metrics } from '@assay/runtime';
import {
  ProviderBreaker,
  type ProviderCall,
  type ProviderCondition,
  type ProviderState,
} from './provider-breaker.js';
import type { Task } from './task-queue.js';
import { providerOf } from './tasks-of-work.js';

/** Providers that one scrape names. */
const MAX_NAMED = 100;

/** The calls of model providers by tasks. Tasks that need no provider may always start. */
export class ProviderCalls {
  readonly #breaker: ProviderBreaker;
  readonly #calls = new Map<Task, ProviderCall>();

  constructor(now: () => number, metrics: Metrics) {
    this.#breaker = new ProviderBreaker(now);
    watchProviders(metrics, () => this.states());
  }

  mayStart({ pool }: Task): boolean {
    const provider = providerOf(pool);
    return provider === undefined || this.#breaker.mayStart(provider);
  }

  /** A task that starts while its provider is paused may not call it: see {@link mayCall}. */
  begin(task: Task): void {
    const provider = providerOf(task.pool);
    const call = provider === undefined ? undefined : this.#breaker.begin(provider);
    if (call) this.#calls.set(task, call);
  }

  mayCall(task: Task): boolean {
    return this.#calls.has(task);
  }

  /** Ends the call of a task, if it has one. Returns whether its provider has recovered. */
  end(task: Task, condition: ProviderCondition | undefined): boolean {
    const call = this.#calls.get(task);
    this.#calls.delete(task);
    return call !== undefined && this.#breaker.end(call, condition);
  }

  /** Returns the providers whose last call has failed. */
  states(): ProviderState[] {
    return this.#breaker.states();
  }
}

function watchProviders(metrics: Metrics, providers: () => readonly ProviderState[]): void {
  metrics.gauge(
    'assay_model_provider_paused',
    'Model providers that fail: 1 while they are not called, 0 while they are',
    ['provider'],
    (gauge) => {
      gauge.reset();
      for (const { provider, pausedUntil } of providers().slice(0, MAX_NAMED))
        gauge.set({ provider }, pausedUntil > 0 ? 1 : 0);
    },
  );
}
