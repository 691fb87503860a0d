import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog, LogPosition, LogRecord } from '@assay/event-log';
import type { EvaluationRow, EventStore } from '@assay/event-store';
import { eventKey, type Freshness } from '@assay/log-readers';
import { backoffMs, type Logger, type Metrics } from '@assay/runtime';
import { LRUCache } from 'lru-cache';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import type { NewWork } from '../shared/work-item.js';
import type { EvaluateMetricDeps } from './evaluate-metric.js';
import { ProviderBreaker } from './provider-breaker.js';
import { makeRunTask, type StoredEvent, type TaskOutcome } from './run-task.js';
import { TaskQueue, type PoolLimits, type Task } from './task-queue.js';
import { mergeTasks, providerOf, PYTHON_POOL, tasksOf } from './tasks-of-work.js';

export interface WorkerOptions extends EvaluateMetricDeps {
  readonly log: Pick<EventLog, 'append' | 'end'>;
  readonly store: Pick<EventStore, 'states' | 'evaluations' | 'pendingEvaluations'>;
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  readonly waitUntilStored: (target: LogPosition, maxWaitMs: number) => Promise<Freshness>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Carries out evaluations that were decided. */
export interface Worker {
  /** Takes over evaluations whose decisions are durable. What does not fit into memory is read from the store later. */
  accept(work: readonly NewWork[]): void;
  /** Takes the present states of events, so that evaluations that wait do not use older ones. */
  refresh(events: readonly StoredEvent[]): void;
  /**
   * Ends the evaluations of all partitions but these without a result: another process reads the others now, and
   * continues what is pending there.
   */
  keepOnly(partitions: readonly number[]): void;
  /** Continues the evaluations of these partitions, and of no others. */
  assigned(partitions: readonly number[]): void;
  /** Ends what runs; the rest stays pending. Idempotent. */
  stop(): Promise<void>;
}

/** More than the runner has processes, so that the results of several evaluations are appended together. */
const PYTHON_LIMITS: PoolLimits = { total: 64, perProject: 32 };
const PROVIDER_LIMITS: PoolLimits = { total: 32, perProject: 16 };
const MAX_TASKS = 20_000;
const MAX_TASKS_PER_PROJECT = 2_000;
const SCAN = { perProject: 2_000, limit: 10_000 };
const TICK_MS = 1_000;
const MAX_WAIT_MS = 30_000;
const MAX_APPEND_BACKOFF_MS = 10_000;
/** Events that were decided about and may be evaluated without reading them again. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** Starts the worker. It has nothing to do until partitions are assigned. */
export function startWorker(options: WorkerOptions): Worker {
  return new RunningWorker(options);
}

class RunningWorker implements Worker {
  readonly #queue = new TaskQueue({
    maxTasks: MAX_TASKS,
    maxPerProject: MAX_TASKS_PER_PROJECT,
    limitsOf: (pool) => (pool === PYTHON_POOL ? PYTHON_LIMITS : PROVIDER_LIMITS),
  });
  readonly #events = new LRUCache<string, StoredEvent>({
    maxSize: MAX_EVENT_BYTES,
    sizeCalculation: (event) => JSON.stringify(event).length,
  });
  readonly #stopping = new AbortController();
  readonly #breaker: ProviderBreaker;
  readonly #runTask: ReturnType<typeof makeRunTask>;
  readonly #running = new Set<Promise<void>>();
  /** Of tasks that run: aborts when the process stops, and when another one continues the task. */
  readonly #endings = new Map<Task, AbortController>();
  readonly #ticks: NodeJS.Timeout;
  readonly #ended;
  #partitions: readonly number[] = [];
  #isScanNeeded = false;
  #scanning: Promise<void> | undefined;
  /** Evaluations that ended since the scan began, whose rows may still be pending. */
  #endedSinceScan = new Set<string>();
  #postponed: Task[] = [];

  constructor(private readonly options: WorkerOptions) {
    const { now, metrics } = options;
    // Every evaluation that runs listens.
    setMaxListeners(0, this.#stopping.signal);
    this.#breaker = new ProviderBreaker(now);
    this.#runTask = makeRunTask({
      ...options,
      loadEvent: (task) => this.#loadEvent(task),
      loadEvaluations: async (task) => (await options.store.evaluations([task])).get(eventKey(task)) ?? [],
      append: (records) => this.#append(records),
      onJudged: ({ pool }, { provider }) => this.#breaker.record(providerOf(pool) ?? '', provider),
      onPaused: ({ projectId }, { id: metricId }) =>
        options.logger.warn('the code of a metric does not end in time, pausing it', { projectId, metricId }),
      signal: this.#stopping.signal,
    });
    this.#ended = metrics.counter('assay_evaluations_total', 'Evaluations that ended', ['decision']);
    metrics.gauge('assay_evaluations_waiting', 'Evaluation tasks that wait in this process', [], (gauge) =>
      gauge.set(this.#queue.waiting),
    );
    this.#ticks = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  accept(work: readonly NewWork[]): void {
    for (const item of work) if (item.event) this.#events.set(eventKey(item), item.event);
    this.#track(this.#place(work));
  }

  refresh(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const key = eventKey({ projectId: event.project_id, eventId: event.event_id });
      if (this.#events.has(key)) this.#events.set(key, event);
    }
  }

  keepOnly(partitions: readonly number[]): void {
    this.#restart(partitions);
    for (const [task, ending] of this.#endings) if (!partitions.includes(task.partition)) ending.abort();
  }

  assigned(partitions: readonly number[]): void {
    this.#restart(partitions);
    this.#tick();
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticks);
    this.#stopping.abort();
    for (const ending of this.#endings.values()) ending.abort();
    this.#queue.clear();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Forgets what waits; the store has it. */
  #restart(partitions: readonly number[]): void {
    this.#partitions = partitions;
    this.#queue.clear();
    this.#postponed = [];
    this.#isScanNeeded = true;
  }

  /** Queues work by its pools, unless another process continues it. */
  async #place(work: readonly NewWork[]): Promise<void> {
    try {
      for (const item of work.filter(({ partition }) => this.#partitions.includes(partition)))
        for (const task of tasksOf(item, await this.options.definitions.of(item.projectId))) this.#add(task);
    } catch (error) {
      this.#isScanNeeded = true;
      this.options.logger.warn('evaluations are postponed, their metrics are not known', {}, error);
    }
    this.#startTasks();
  }

  /** Of two tasks of an event the later one counts; one that does not fit is read from the store later. */
  #add(task: Task): void {
    if (!this.#queue.add(mergeTasks(this.#queue.waitingTask(task), task))) this.#isScanNeeded = true;
  }

  #startTasks(): void {
    const mayStart = (pool: string, running: number) => {
      const provider = providerOf(pool);
      return provider === undefined || this.#breaker.mayStart(provider, running);
    };
    while (!this.#stopping.signal.aborted) {
      const task = this.#queue.next(mayStart);
      if (task === undefined) return;
      this.#track(this.#run(task));
    }
  }

  async #run(task: Task): Promise<void> {
    const ending = new AbortController();
    const isRevoked = () => ending.signal.aborted && !this.#stopping.signal.aborted;
    this.#endings.set(task, ending);
    try {
      const outcome = await this.#runTask(task, ending.signal);
      if (!isRevoked()) this.#finish(task, outcome);
    } catch (error) {
      if (isRevoked()) return;
      this.#postponed.push(task);
      if (!this.#stopping.signal.aborted)
        this.options.logger.warn('an evaluation did not end, retrying', { projectId: task.projectId }, error);
    } finally {
      this.#endings.delete(task);
      this.#queue.done(task);
      // In a later turn of the event loop, so that a long queue of short tasks blocks nothing.
      setImmediate(() => this.#startTasks());
    }
  }

  #finish(task: Task, { completed, postponed }: TaskOutcome): void {
    for (const { decision, metricId } of completed) {
      this.#ended.inc({ decision });
      if (this.#scanning) this.#endedSinceScan.add(`${task.projectId}/${task.eventId}/${metricId}`);
    }
    if (postponed.length > 0) this.#postponed.push({ ...task, evaluations: postponed });
  }

  #tick(): void {
    for (const task of this.#postponed.splice(0))
      if (!this.#queue.add(mergeTasks(task, this.#queue.waitingTask(task) ?? task)))
        this.#isScanNeeded = true;
    this.#startTasks();
    if (!this.#isScanNeeded || this.#scanning || this.#queue.waiting > MAX_TASKS / 2) return;
    this.#isScanNeeded = false;
    this.#scanning = this.#scan()
      .catch((error: unknown) => {
        this.#isScanNeeded = true;
        if (!this.#stopping.signal.aborted)
          this.options.logger.warn('pending evaluations cannot be read, retrying', {}, error);
      })
      .finally(() => (this.#scanning = undefined));
    this.#track(this.#scanning);
  }

  /** Queues evaluations that are pending in the store and not known here. */
  async #scan(): Promise<void> {
    const { log, store, waitUntilStored } = this.options;
    this.#endedSinceScan = new Set();
    const { current } = await waitUntilStored(await log.end(), MAX_WAIT_MS);
    if (!current) throw new Error('the evaluations are not stored yet');
    const partitions = this.#partitions;
    const found = await store.pendingEvaluations({ partitions, ...SCAN });
    if (partitions !== this.#partitions || this.#stopping.signal.aborted) return;
    if (found.length >= SCAN.limit) this.#isScanNeeded = true;
    const unknown = found.filter((row) => !this.#endedSinceScan.has(`${eventKey(row)}/${row.metricId}`));
    await this.#place(await this.#notQueued(unknown));
  }

  /** Leaves out evaluations whose task waits or runs. */
  async #notQueued(rows: readonly EvaluationRow[]): Promise<NewWork[]> {
    const work: NewWork[] = [];
    for (const { projectId, eventId, logPartition: partition, ...evaluation } of rows) {
      const item: NewWork = { projectId, eventId, partition, evaluations: [evaluation] };
      const [task] = tasksOf(item, await this.options.definitions.of(projectId));
      if (task && !this.#queue.has(task)) work.push(item);
    }
    return groupByEvent(work);
  }

  async #loadEvent(task: Task): Promise<StoredEvent | undefined> {
    const key = eventKey(task);
    const cached = this.#events.get(key);
    if (cached) return cached;
    const state = (await this.options.store.states([task])).get(key);
    return state?.changes?.deleted ? undefined : state?.event;
  }

  async #append(records: readonly LogRecord[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.options.log.append(records);
      } catch (error) {
        this.#stopping.signal.throwIfAborted();
        this.options.logger.warn('the results of evaluations cannot be appended, retrying', {}, error);
        await delay(backoffMs(attempt, Math.random(), MAX_APPEND_BACKOFF_MS), undefined, {
          signal: this.#stopping.signal,
        });
      }
    }
  }

  #track(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }
}

/** Metrics of type PYTHON share a task, so their evaluations of an event are added together. */
function groupByEvent(work: readonly NewWork[]): NewWork[] {
  const grouped = new Map<string, NewWork>();
  for (const item of work) {
    const key = eventKey(item);
    const evaluations = [...(grouped.get(key)?.evaluations ?? []), ...item.evaluations];
    grouped.set(key, { ...item, evaluations });
  }
  return [...grouped.values()];
}
