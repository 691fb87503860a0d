import { setMaxListeners } from 'node:events';
import { awaitsQuiet, type Evaluation } from '@assay/domain';
import type { EvaluationRow } from '@assay/event-store';
import { eventKey } from '@assay/log-readers';
import type { Repetition } from '@assay/judges';
import { within, type RecordedSpan } from '@assay/telemetry';
import { LRUCache } from 'lru-cache';
import type { EvaluationOutcome } from '../kinds/metric-kind.js';
import { PYTHON_POOL } from '../kinds/python.js';
import type { NewWork } from '../shared/work-item.js';
import { appendDurably } from './append-durably.js';
import { isLate, type StoredEvent, type TaskOutcome } from './evaluation-step.js';
import { separateHeld } from './held-tasks.js';
import { PostponedTasks } from './postponed-tasks.js';
import { ProviderCalls, type ProjectProviderState } from './provider-calls.js';
import { makeRunTask } from './run-task.js';
import { QuietSessions } from './quiet-sessions.js';
import { SessionReads } from './session-reads.js';
import { TaskQueue, type PoolLimits, type ProjectBounds, type Task } from './task-queue.js';
import { groupByEvent, mergeTasks, tasksOf } from './tasks-of-work.js';
import type { Worker, WorkerOptions } from './worker.js';

/** More than the runner has processes, so that the results of several evaluations are appended together. */
const PYTHON_LIMITS: PoolLimits = { total: 64, perProject: 32, reserve: 0 };
/** Calls may hang for a minute: six projects whose calls do take all places of an endpoint, and further ones one of the reserve each. */
const PROVIDER_LIMITS: PoolLimits = { total: 32, perProject: 16, reserve: 32 };
const MAX_TASKS = 20_000;
const MAX_TASKS_PER_PROJECT = 2_000;
/** A project with metrics of many providers leaves most of the queue to others. What does not fit is read from the store later. */
const MAX_OF_PROJECT: ProjectBounds = {
  tasksOfPool: MAX_TASKS_PER_PROJECT,
  tasks: MAX_TASKS / 4,
  pools: 10,
};
const SCAN = { perProject: 2_000, limit: 10_000 };
const TICK_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** Events that were decided about and may be evaluated without reading them again. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** Starts the worker. It has nothing to do until partitions are assigned. */
export function startWorker(options: WorkerOptions): Worker {
  return new RunningWorker(options);
}

class RunningWorker implements Worker {
  readonly #queue = new TaskQueue({
    maxTasks: MAX_TASKS,
    ofProject: MAX_OF_PROJECT,
    limitsOf: (pool) => (pool === PYTHON_POOL ? PYTHON_LIMITS : PROVIDER_LIMITS),
  });
  readonly #events = new LRUCache<string, StoredEvent>({
    maxSize: MAX_EVENT_BYTES,
    sizeCalculation: (event) => JSON.stringify(event).length,
  });
  readonly #stopping = new AbortController();
  readonly #calls: ProviderCalls;
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
  readonly #postponed: PostponedTasks;
  readonly #held: QuietSessions;

  constructor(private readonly options: WorkerOptions) {
    const { now, metrics } = options;
    // Every evaluation that runs listens.
    setMaxListeners(0, this.#stopping.signal);
    this.#calls = new ProviderCalls(now, metrics);
    const bounds = { maxTasks: MAX_TASKS, maxPerProject: MAX_TASKS_PER_PROJECT };
    this.#postponed = new PostponedTasks({ ...bounds, now });
    this.#held = new QuietSessions({ ...options, ...bounds, signal: this.#stopping.signal });
    this.#runTask = makeRunTask({
      ...options,
      loadEvent: (task) => this.#loadEvent(task),
      loadEvaluations: async (task) =>
        (await options.store.states.evaluations([task], 'toDecide')).get(eventKey(task)) ?? [],
      sessions: new SessionReads(options.store.sessions),
      append: (records) => appendDurably(records, options, this.#stopping.signal),
      mayCall: (task) => this.#calls.mayCall(task),
      onJudged: (task, { provider }) => this.#endCall(task, provider),
      onPaused: ({ projectId }, { id: metricId }) =>
        options.logger.warn('the code of a metric does not end in time, pausing it', { projectId, metricId }),
      signal: this.#stopping.signal,
    });
    this.#ended = metrics.counter('assay_evaluations_total', 'Evaluations that ended', ['decision']);
    metrics.gauge('assay_evaluations_waiting', 'Evaluation tasks that wait in this process', [], (gauge) =>
      gauge.set(this.#queue.waiting + this.#postponed.size),
    );
    this.#ticks = setInterval(() => this.#tick(), options.tickMs ?? TICK_MS).unref();
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

  providers(projectId?: string): ProjectProviderState[] {
    return this.#calls.states(projectId);
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
    this.#postponed.clear();
    this.#held.clear();
    this.#isScanNeeded = true;
  }

  /** Queues work by its pools, unless another process continues it. */
  async #place(work: readonly NewWork[]): Promise<void> {
    try {
      for (const item of work.filter(({ partition }) => this.#partitions.includes(partition))) {
        const { held, ready } = separateHeld(item.evaluations);
        for (const task of await this.#tasksOf({ ...item, evaluations: ready })) {
          this.#held.remove(task);
          this.#add(task);
        }
        for (const task of await this.#tasksOf({ ...item, evaluations: held })) this.#held.add(task);
      }
    } catch (error) {
      this.#isScanNeeded = true;
      this.options.logger.warn('evaluations are postponed, their metrics are not known', {}, error);
    }
    this.#startTasks();
  }

  /** Of two tasks of an event the later one counts; one that does not fit is read from the store later. */
  #add(task: Task): void {
    const earlier = [this.#postponed.take(task.key), this.#queue.waitingTask(task), task];
    const merged = earlier.reduce((one, later) => (later ? mergeTasks(one, later) : one)) ?? task;
    if (!this.#queue.add(merged)) this.#isScanNeeded = true;
  }

  #startTasks(): void {
    while (!this.#stopping.signal.aborted) {
      const task = this.#queue.next((next) => this.#calls.mayStart(next) || this.#isLate(next));
      if (task === undefined) return;
      this.#calls.begin(task);
      this.#track(this.#run(task));
    }
  }

  /** Tasks that waited too long are ended also while their provider is paused. */
  #isLate({ evaluations }: Task): boolean {
    return evaluations.some((evaluation) => isLate(this.options, evaluation));
  }

  /** What waited for a provider is carried out as soon as it has recovered. */
  #endCall(task: Task, condition: EvaluationOutcome['provider']): void {
    if (this.#calls.end(task, condition))
      for (const waiting of this.#postponed.takeWaitingFor(task)) this.#add(waiting);
  }

  async #run(task: Task): Promise<void> {
    const ending = new AbortController();
    const isRevoked = () => ending.signal.aborted && !this.#stopping.signal.aborted;
    this.#endings.set(task, ending);
    try {
      const outcome = await within(this.#spanOf(task), () => this.#runTask(task, ending.signal));
      if (!isRevoked()) this.#finish(task, outcome);
    } catch (error) {
      if (isRevoked()) return;
      this.#postpone(task, 'soon');
      if (!this.#stopping.signal.aborted)
        this.options.logger.warn('an evaluation did not end, retrying', { projectId: task.projectId }, error);
    } finally {
      this.#endings.delete(task);
      this.#endCall(task, undefined);
      this.#queue.done(task);
      // In a later turn of the event loop, so that a long queue of short tasks blocks nothing.
      setImmediate(() => this.#startTasks());
    }
  }

  #spanOf({ trace, projectId, evaluations }: Task): RecordedSpan | undefined {
    if (trace === undefined) return undefined;
    const attributes = { 'assay.project.id': projectId, 'assay.evaluations': evaluations.length };
    return this.options.tracing?.startLinked('evaluate event', [trace], attributes);
  }

  #finish(task: Task, { completed, postponed, repetition }: TaskOutcome): void {
    const { held, ready } = separateHeld(completed);
    if (held.length > 0) this.#held.add({ ...task, evaluations: held });
    for (const { decision, metricId } of ready) {
      this.#ended.inc({ decision });
      if (this.#scanning) this.#endedSinceScan.add(`${task.projectId}/${task.eventId}/${metricId}`);
    }
    if (postponed.length > 0) this.#postpone({ ...task, evaluations: postponed }, repetition);
  }

  /** What a later decision has queued meanwhile is carried out with it; what does not fit is read from the store later. */
  #postpone(task: Task, repetition: Repetition): void {
    const later = this.#queue.waitingTask(task);
    if (later) this.#queue.add(mergeTasks(task, later));
    else if (!this.#postponed.add(task, repetition)) this.#isScanNeeded = true;
  }

  #tick(): void {
    const due = this.#postponed.takeDue(
      (task) => this.#calls.mayStart(task),
      (task) => this.#isLate(task),
    );
    for (const task of due) this.#add(task);
    this.#startTasks();
    this.#releaseHeld();
    if (this.#held.takeMissed()) this.#isScanNeeded = true;
    const known = this.#queue.waiting + this.#postponed.size;
    if (!this.#isScanNeeded || this.#scanning || known > MAX_TASKS / 2) return;
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

  #releaseHeld(): void {
    const released = this.#held.release((tasks) => {
      for (const task of tasks) this.#add(task);
      this.#startTasks();
    });
    if (released) this.#track(released);
  }

  /** Queues evaluations that are pending in the store and not known here. */
  async #scan(): Promise<void> {
    const { log, store, waitUntilStored } = this.options;
    this.#endedSinceScan = new Set();
    const { current } = await waitUntilStored(await log.end(), MAX_WAIT_MS);
    if (!current) throw new Error('the evaluations are not stored yet');
    const partitions = this.#partitions;
    const found = await store.states.pendingEvaluations({ partitions, ...SCAN });
    if (partitions !== this.#partitions || this.#stopping.signal.aborted) return;
    const full = fullProjects(found);
    const ready = found.filter((row) => !awaitsQuiet(row));
    if (found.length >= SCAN.limit || ready.some(({ projectId }) => full.has(projectId)))
      this.#isScanNeeded = true;
    if (found.some((row) => awaitsQuiet(row) && full.has(row.projectId))) this.#held.noteMissed();
    await this.#place(await this.#notQueued(found));
  }

  async #tasksOf(item: NewWork): Promise<Task[]> {
    return tasksOf(item, await this.options.definitions.of(item.projectId), this.options.judge);
  }

  /** Leaves out evaluations whose task waits or runs, or has ended since they were read. */
  async #notQueued(rows: readonly EvaluationRow[]): Promise<NewWork[]> {
    const work: NewWork[] = [];
    for (const { projectId, eventId, logPartition: partition, ...evaluation } of rows) {
      const item: NewWork = { projectId, eventId, partition, evaluations: [evaluation] };
      const [task] = await this.#tasksOf(item);
      const hasEnded = this.#endedSinceScan.has(`${projectId}/${eventId}/${evaluation.metricId}`);
      if (task && !hasEnded && !this.#isKnown(task, evaluation)) work.push(item);
    }
    return groupByEvent(work);
  }

  #isKnown(task: Task, evaluation: Evaluation): boolean {
    if (awaitsQuiet(evaluation) && this.#held.has(task.key, evaluation.metricId)) return true;
    return this.#queue.has(task) || this.#postponed.has(task.key);
  }

  async #loadEvent(task: Task): Promise<StoredEvent | undefined> {
    const key = eventKey(task);
    const cached = this.#events.get(key);
    if (cached) return cached;
    const state = (await this.options.store.states.read([task])).get(key);
    return state?.changes?.deleted ? undefined : state?.event;
  }

  #track(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }
}

/** Returns the projects that may have further evaluations behind those that were read. */
function fullProjects(read: readonly EvaluationRow[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { projectId } of read) counts.set(projectId, (counts.get(projectId) ?? 0) + 1);
  return new Set([...counts.keys()].filter((id) => (counts.get(id) ?? 0) >= SCAN.perProject));
}
