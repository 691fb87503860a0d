import type { Metrics } from '@assay/runtime';
import { LRUCache } from 'lru-cache';
import type { ProviderCondition } from '../kinds/metric-kind.js';
import { ProviderBreaker, type ProviderCall, type ProviderState } from './provider-breaker.js';
import type { Task } from './task-queue.js';

/** LRU capacity: projects with a provider that has failed. */
const MAX_PROJECTS = 1_000;
/** Providers that one scrape names. */
const MAX_NAMED = 100;

/** State of a provider for the calls of a project. */
export interface ProjectProviderState extends ProviderState {
  readonly projectId: string;
}

/**
 * The calls of model providers by tasks. What the calls of a project have shown pauses calls of the project alone: its endpoint, its
 * key, its prompts and its rate differ from those of other projects. Tasks that need no provider may always start.
 */
export class ProviderCalls {
  readonly #breakers = new LRUCache<string, ProviderBreaker>({ max: MAX_PROJECTS });
  readonly #calls = new Map<Task, ProviderCall>();

  constructor(
    private readonly now: () => number,
    metrics: Metrics,
  ) {
    watchProviders(metrics, () => this.states());
  }

  mayStart({ projectId, provider }: Task): boolean {
    return provider === undefined || (this.#breakers.get(projectId)?.mayStart(provider) ?? true);
  }

  /** A task that starts while its provider is paused may not call it: see {@link mayCall}. */
  begin(task: Task): void {
    const { projectId, provider } = task;
    if (provider === undefined) return;
    const breaker = this.#breakers.get(projectId);
    const call = breaker ? breaker.begin(provider) : { provider, pausesBefore: 0 };
    if (call) this.#calls.set(task, call);
  }

  mayCall(task: Task): boolean {
    return this.#calls.has(task);
  }

  /** Ends the call of a task, if it has one. Returns whether its provider has recovered. */
  end(task: Task, condition: ProviderCondition | undefined): boolean {
    const call = this.#calls.get(task);
    this.#calls.delete(task);
    if (call === undefined) return false;
    const { projectId } = task;
    let breaker = this.#breakers.get(projectId);
    if (breaker === undefined && condition?.failed)
      this.#breakers.set(projectId, (breaker = new ProviderBreaker(this.now)));
    return breaker?.end(call, condition) ?? false;
  }

  /** Returns the providers whose last call by a project has failed: by this one, or by any. */
  states(projectId?: string): ProjectProviderState[] {
    const ofProject = (id: string) =>
      (this.#breakers.peek(id)?.states() ?? []).map((state) => ({ ...state, projectId: id }));
    return projectId === undefined ? [...this.#breakers.keys()].flatMap(ofProject) : ofProject(projectId);
  }
}

function watchProviders(metrics: Metrics, states: () => readonly ProviderState[]): void {
  metrics.gauge(
    'assay_model_provider_paused',
    'Model providers that fail: the number of projects whose calls are paused',
    ['provider'],
    (gauge) => {
      gauge.reset();
      const paused = new Map<string, number>();
      for (const { provider, pausedUntil } of states())
        paused.set(provider, (paused.get(provider) ?? 0) + (pausedUntil > 0 ? 1 : 0));
      for (const [provider, projects] of [...paused].slice(0, MAX_NAMED)) gauge.set({ provider }, projects);
    },
  );
}
