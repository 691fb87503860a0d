import { setTimeout as delay } from 'node:timers/promises';
import type { StoredEventsJob } from '@assay/domain';
import { backoffMs, type Logger } from '@assay/runtime';
import type { ControlPlane, JobClaim, JobProgress } from '../control-plane.js';

export interface JobRunnerOptions<Job extends StoredEventsJob> {
  readonly claim: (claim: JobClaim) => Promise<Job | undefined>;
  readonly saveJob: ControlPlane['saveJob'];
  /** Does the next page of a job. Called again with the same job after it has thrown. */
  readonly runPage: (job: Job, context: JobContext) => Promise<JobPage<Job>>;
  /** Name of this process, unlike those of all others. */
  readonly owner: string;
  /** Projects whose jobs this process runs; empty: all. */
  readonly projectIds: readonly string[];
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly now: () => number;
}

export interface JobContext {
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
  /** Extends the lease; to be called often while the page waits. @throws when the job has ended elsewhere */
  readonly beat: () => Promise<void>;
}

/** A job after a page, and its end unless it continues. */
export interface JobPage<Job> {
  readonly job: Job;
  readonly end?: Pick<JobProgress, 'reason'> & { readonly state: 'completed' | 'failed' };
}

/** Jobs that run in this process at a time, each of another project. */
const MAX_JOBS = 4;
const POLL_INTERVAL_MS = 2_000;
/** A fifth of the lease. */
const BEAT_MS = 2_000;
const MAX_BACKOFF_MS = 10_000;
/** Reason of a job that has ended elsewhere, of which nothing is left to save. */
const ENDED = new Error('the job has ended');

/**
 * Runs jobs of one kind page by page: takes them from the control plane under leases. `stop` ends the leases, so that
 * another process continues the jobs immediately.
 */
export function startJobs<Job extends StoredEventsJob>(
  options: JobRunnerOptions<Job>,
): { stop(): Promise<void> } {
  const runner = new JobRunner(options);
  const ended = runner.run();
  return {
    stop: async () => {
      runner.abort();
      await ended;
    },
  };
}

class JobRunner<Job extends StoredEventsJob> {
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  #hasFailed = false;
  /** Aborted when a job ends, whose project may have another one, and at the stop. */
  #ended = new AbortController();

  constructor(private readonly options: JobRunnerOptions<Job>) {}

  abort(): void {
    this.#stopping.abort();
    this.#ended.abort();
  }

  /** Takes jobs until the process stops. Never rejects. */
  async run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const job = this.#running.size < MAX_JOBS ? await this.#claim() : undefined;
      if (job === undefined) await this.#untilNextClaim();
      else this.#start(job);
    }
    await Promise.all(this.#running.values());
  }

  async #untilNextClaim(): Promise<void> {
    await this.#pause(POLL_INTERVAL_MS, this.#ended.signal);
    if (this.#ended.signal.aborted) this.#ended = new AbortController();
  }

  async #claim(): Promise<Job | undefined> {
    const { claim, owner, projectIds, logger } = this.options;
    try {
      const job = await claim({ owner, projectIds, busyProjectIds: [...this.#running.keys()] });
      this.#hasFailed = false;
      if (job === undefined || this.#running.has(job.projectId)) return undefined;
      return projectIds.length === 0 || projectIds.includes(job.projectId) ? job : undefined;
    } catch (error) {
      if (!this.#hasFailed) logger.warn('jobs cannot be read, retrying', {}, error);
      this.#hasFailed = true;
      return undefined;
    }
  }

  #start(job: Job): void {
    const { projectId, jobId } = job;
    const running = this.#runJob(job)
      .catch((error: unknown) => {
        if (error !== ENDED)
          this.options.logger.error('a job ended unexpectedly', { projectId, jobId }, error);
      })
      .finally(() => {
        this.#running.delete(projectId);
        this.#ended.abort();
      });
    this.#running.set(projectId, running);
  }

  async #runJob(taken: Job): Promise<void> {
    let job = taken;
    for (let failures = 0; !this.#stopping.signal.aborted;) {
      try {
        const { job: page, end } = await this.#nextPage(job);
        job = page;
        failures = 0;
        if (!(await this.#save(job, end))) return;
      } catch (error) {
        if (error === ENDED) throw error;
        if (this.#stopping.signal.aborted) break;
        const { projectId, jobId } = job;
        this.options.logger.warn('a page of a job failed, retrying', { projectId, jobId }, error);
        await this.#pause(backoffMs(failures++, Math.random(), MAX_BACKOFF_MS));
      }
    }
    // Best effort: without it the lease ends after 10 s.
    await this.#save(job, { state: 'running', reason: null, releases: true }).catch(() => false);
  }

  #nextPage(job: Job): Promise<JobPage<Job>> {
    const { runPage, now } = this.options;
    let beatAt = now();
    const beat = async () => {
      if (now() - beatAt < BEAT_MS) return;
      if (!(await this.#save(job))) throw ENDED;
      beatAt = now();
    };
    return runPage(job, { beat, signal: this.#stopping.signal });
  }

  /** Returns whether the job continues. */
  #save(
    { projectId, jobId, cursor, counts }: Job,
    end: Pick<JobProgress, 'state' | 'reason' | 'releases'> = { state: 'running', reason: null },
  ): Promise<boolean> {
    const { saveJob, owner } = this.options;
    return saveJob({ projectId, jobId, owner, cursor, counts, ...end });
  }

  async #pause(ms: number, signal = this.#stopping.signal): Promise<void> {
    await delay(ms, undefined, { signal }).catch(() => undefined);
  }
}
