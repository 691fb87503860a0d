import { join } from 'node:path';
import { FairSlots, type Logger } from '@assay/runtime';
import { DEFAULT_LIMITS } from '../limits.js';
import type { TemplateRenderer } from '../template-renderer.js';
import { isLarge } from './is-large.js';
import { failureOf, overloaded, STOP_FAILURES } from './job-failures.js';
import type { JobOutcome, TemplateJob } from './messages.js';
import { ThreadPool } from './thread-pool.js';
import type { StopReason } from './worker-thread.js';

export interface TemplateWorkersOptions {
  /** Receives a fixed phrase when threads cannot be started, at most once a second. */
  readonly logger?: Pick<Logger, 'warn'>;
  /** Threads; two by default. */
  readonly threads?: number;
  /** Program of a thread; the one of this package by default. */
  readonly program?: string;
  /** Heap of a thread, in megabytes. */
  readonly maxHeapMegabytes?: number;
  /** Wall-clock time of one rendering, in milliseconds: the last resort. */
  readonly maxWallMs?: number;
}

const THREADS = 2;
const MAX_HEAP_MEGABYTES = 128;
const MAX_WALL_MS = 2_000;
/** An operation that does not look at its limit is stopped from outside after a multiple of it. */
const MAX_CPU_MS = 4 * DEFAULT_LIMITS.maxMs;
/** Jobs that share a message. */
const MAX_BATCH_JOBS = 16;
/** Jobs of a project that wait for a thread; their callers hold the events. */
const MAX_WAITING_JOBS = 256;
const MAX_WAIT_MS = 30_000;
/** Runs of a job whose thread ended without a fault of the job. */
const MAX_RUNS = 2;

interface WaitingJob {
  readonly job: TemplateJob;
  readonly resolve: (text: string) => void;
  readonly reject: (error: unknown) => void;
  runs: number;
  /** Runs in a batch of its own: it is large, or its thread ended when no job of the batch had begun. */
  isAlone: boolean;
}

/**
 * Returns a renderer that parses and renders in worker threads. One batch of a project runs at a time, and projects take turns. Threads are
 * started when they are first needed; one that is stopped or ends is replaced.
 */
export function createTemplateWorkers(options: TemplateWorkersOptions = {}): TemplateRenderer {
  return new TemplateWorkers(options);
}

class TemplateWorkers implements TemplateRenderer {
  /** Jobs of each project that wait. */
  private readonly projects = new Map<string, WaitingJob[]>();
  private readonly slots: FairSlots;
  private readonly pool: ThreadPool;

  constructor({ threads = THREADS, logger, ...options }: TemplateWorkersOptions) {
    this.slots = new FairSlots({ total: threads, perProject: 1, maxWaiting: 1, maxWaitMs: MAX_WAIT_MS });
    this.pool = new ThreadPool({
      program: options.program ?? join(__dirname, 'template-worker.js'),
      maxHeapMegabytes: options.maxHeapMegabytes ?? MAX_HEAP_MEGABYTES,
      maxCpuMs: MAX_CPU_MS,
      maxWallMs: options.maxWallMs ?? MAX_WALL_MS,
      warn: (phrase, error) => logger?.warn(phrase, {}, error),
    });
  }

  async check(projectId: string, source: string): Promise<void> {
    await this.add(projectId, { source }, false);
  }

  render(projectId: string, source: string, variables: object): Promise<string> {
    return this.add(projectId, { source, variables }, isLarge(variables));
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private add(projectId: string, job: TemplateJob, isAlone: boolean): Promise<string> {
    const known = this.projects.get(projectId);
    const waiting = known ?? [];
    if (waiting.length >= MAX_WAITING_JOBS) return Promise.reject(overloaded());
    return new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject, runs: 0, isAlone });
      if (known) return;
      this.projects.set(projectId, waiting);
      // What is added in the same turn of the event loop shares a message.
      queueMicrotask(() => void this.runAll(projectId, waiting));
    });
  }

  /** Runs the jobs of a project, batch by batch, in turn with other projects. */
  private async runAll(projectId: string, waiting: WaitingJob[]): Promise<void> {
    while (waiting.length > 0) {
      try {
        await this.slots.run(projectId, () => this.runBatch(waiting));
      } catch (error) {
        for (const one of waiting.splice(0)) one.reject(error);
      }
    }
    this.projects.delete(projectId);
  }

  /** @throws AppError `UNAVAILABLE` when no thread can be started */
  private async runBatch(waiting: WaitingJob[]): Promise<void> {
    const batch = takeBatch(waiting);
    const result = await this.pool.run(batch.map(({ job }) => job)).catch((error: unknown) => {
      waiting.unshift(...batch);
      throw error;
    });
    result.outcomes.forEach((outcome, index) => settle(batch[index] as WaitingJob, outcome));
    const left = batch.slice(result.outcomes.length);
    if (result.stopped !== undefined) afterStop(left, result.stopped, result.runningJob);
    waiting.unshift(...left.filter(({ runs }) => runs < MAX_RUNS));
  }
}

function settle({ resolve, reject }: WaitingJob, outcome: JobOutcome): void {
  if ('text' in outcome) resolve(outcome.text);
  else reject(failureOf(outcome));
}

/** Decides which job of a batch its thread has ended for. That one fails or runs once more; the others run again. */
function afterStop(left: readonly WaitingJob[], reason: StopReason, runningJob: number | undefined): void {
  const culprit = left[runningJob ?? (left.length === 1 ? 0 : -1)];
  if (culprit === undefined) {
    for (const one of left) one.isAlone = true;
    return;
  }
  const { isOfJob, error } = STOP_FAILURES[reason];
  culprit.runs = isOfJob ? MAX_RUNS : culprit.runs + 1;
  if (culprit.runs >= MAX_RUNS) culprit.reject(error());
}

/** Takes the next jobs that share a message. */
function takeBatch(waiting: WaitingJob[]): WaitingJob[] {
  const isAlone = (index: number) => waiting[index]?.isAlone ?? true;
  let count = 1;
  while (count < MAX_BATCH_JOBS && !isAlone(count - 1) && !isAlone(count)) count++;
  return waiting.splice(0, count);
}
