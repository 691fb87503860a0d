import { setTimeout as delay } from 'node:timers/promises';
import type { ControlPlane } from '@assay/control-plane-client';
import type { EvaluationJob } from '@assay/domain';
import { AppError } from '@assay/errors';
import { backoffMs, type Logger } from '@assay/runtime';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import { runJobPage, type JobPageDeps } from './job-page.js';

export interface JobRunnerOptions extends JobPageDeps {
  readonly controlPlane: Pick<ControlPlane, 'claimJob' | 'saveJob'>;
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  /** Name of this process, unlike those of all others. */
  readonly owner: string;
  /** Projects whose jobs this process runs; empty: all. */
  readonly projectIds: readonly string[];
  readonly logger: Logger;
}

/** Jobs that run in this process at a time, each of another project. */
const MAX_JOBS = 4;
const POLL_INTERVAL_MS = 2_000;
/** A fifth of the lease. */
const BEAT_MS = 2_000;
const MAX_BACKOFF_MS = 10_000;
/** Reason of a job that has ended elsewhere, of which nothing is left to save. */
const ENDED = new Error('the job has ended');

type End = { readonly state: 'completed' | 'failed'; readonly reason: string | null };

/** Starts the jobs that evaluate stored events: takes them from the control plane under leases. */
export function startJobs(options: JobRunnerOptions): { stop(): Promise<void> } {
  const runner = new JobRunner(options);
  const ended = runner.run();
  return {
    stop: async () => {
      runner.abort();
      await ended;
    },
  };
}

class JobRunner {
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  #hasFailed = false;

  constructor(private readonly options: JobRunnerOptions) {}

  abort(): void {
    this.#stopping.abort();
  }

  /** Takes jobs until the process stops. Never rejects. */
  async run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const job = this.#running.size < MAX_JOBS ? await this.#claim() : undefined;
      if (job === undefined) await this.#pause(POLL_INTERVAL_MS);
      else this.#start(job);
    }
    await Promise.all(this.#running.values());
  }

  async #claim(): Promise<EvaluationJob | undefined> {
    const { controlPlane, owner, projectIds, logger } = this.options;
    try {
      const job = await controlPlane.claimJob({
        owner,
        projectIds,
        busyProjectIds: [...this.#running.keys()],
      });
      this.#hasFailed = false;
      return job && (projectIds.length === 0 || projectIds.includes(job.projectId)) ? job : undefined;
    } catch (error) {
      if (!this.#hasFailed) logger.warn('jobs cannot be read, retrying', {}, error);
      this.#hasFailed = true;
      return undefined;
    }
  }

  #start(job: EvaluationJob): void {
    const { projectId, jobId } = job;
    const running = this.#runJob(job)
      .catch((error: unknown) => {
        if (error !== ENDED && !this.#stopping.signal.aborted)
          this.options.logger.error('a job ended unexpectedly', { projectId, jobId }, error);
      })
      .finally(() => this.#running.delete(projectId));
    this.#running.set(projectId, running);
  }

  async #runJob(taken: EvaluationJob): Promise<void> {
    let job = taken;
    for (let failures = 0; ;) {
      try {
        const { page, end } = await this.#nextPage(job);
        job = page;
        failures = 0;
        if (!(await this.#save(job, end))) return;
      } catch (error) {
        if (error === ENDED || this.#stopping.signal.aborted) throw error;
        const { projectId, jobId } = job;
        this.options.logger.warn('a page of a job failed, retrying', { projectId, jobId }, error);
        await this.#pause(backoffMs(failures++, Math.random(), MAX_BACKOFF_MS));
      }
    }
  }

  async #nextPage(job: EvaluationJob): Promise<{ readonly page: EvaluationJob; readonly end?: End }> {
    const { definitions, now } = this.options;
    const metric = (await definitions.of(job.projectId, now())).get(job.metricId)?.metric;
    if (metric === undefined)
      return { page: job, end: { state: 'failed', reason: 'the metric was deleted' } };
    let beatAt = now();
    const beat = async () => {
      if (now() - beatAt < BEAT_MS) return;
      if (!(await this.#save(job))) throw ENDED;
      beatAt = now();
    };
    try {
      const context = { metric, beat, signal: this.#stopping.signal };
      const { job: page, isLast } = await runJobPage(this.options, job, context);
      return isLast ? { page, end: { state: 'completed', reason: null } } : { page };
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'VALIDATION_ERROR')) throw error;
      const reason = 'the events cannot be searched, narrow the filters or the range';
      return { page: job, end: { state: 'failed', reason } };
    }
  }

  /** Returns whether the job continues. */
  #save({ projectId, jobId, cursor, counts }: EvaluationJob, end?: End): Promise<boolean> {
    const { controlPlane, owner } = this.options;
    const progress = { projectId, jobId, owner, cursor, counts };
    return controlPlane.saveJob({ ...progress, ...(end ?? ({ state: 'running', reason: null } as const)) });
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
