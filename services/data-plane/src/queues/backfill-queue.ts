import { randomUUID } from 'node:crypto';
import type { backfillQueue, ResponseOf } from '@assay/contracts';
import type { JobPage } from '@assay/control-plane-client';
import { acceptDateRange, type BackfillJob } from '@assay/domain';
import { AppError, notFound, validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import { actingKey } from '../shared/acting-key.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { failureReason, runBackfillPage, type BackfillContext } from './backfill-page.js';

/** How much of a backfill a request does before it responds. */
export interface BackfillLimits {
  readonly pages: number;
  readonly pageSize: number;
}

const LIMITS: BackfillLimits = { pages: 40, pageSize: 250 };

/**
 * Starts a job that adds the stored events which match the filters of a queue, and does its first pages, so that a small
 * backfill is complete with the response. The rest is up to the processes that run backfills.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for a queue without filters, `CONFLICT` when the project runs the
 * maximum number of backfills, `UNAVAILABLE`: a job may have been started
 */
export function makeBackfillQueue(deps: DataPlaneDeps, limits = LIMITS): Operation<typeof backfillQueue> {
  return async ({ params, body }, context) => {
    const { signal, caller } = context;
    // A fixed end keeps new events out, also those that arrive while the job runs.
    const { from = null, to = deps.now() } = acceptDateRange(body.dateRange, deps.now());
    const request = { projectId: caller.projectId, queueId: params.queue_id, from, to, owner: randomUUID() };
    const start = await deps.controlPlane.startBackfill({ ...request, by: actingKey(context) }, { signal });
    const job = startedJob(start);
    const { owner } = request;
    const page = { signal, runInTurns: context.runInTurns, pageSize: limits.pageSize };
    return runPages(deps, { job, owner, pages: limits.pages }, page);
  };
}

/** @throws AppError */
function startedJob({ outcome, job }: Awaited<ReturnType<DataPlaneDeps['controlPlane']['startBackfill']>>) {
  if (outcome === 'no_queue') throw notFound('queue not found');
  if (outcome === 'no_filters') throw validationError('the queue has no filters');
  if (outcome === 'too_many' || !job)
    throw new AppError('CONFLICT', 'the project runs 4 backfills, wait for one of them or stop it');
  return job;
}

interface FirstPages {
  readonly job: BackfillJob;
  readonly owner: string;
  readonly pages: number;
}

async function runPages(
  deps: DataPlaneDeps,
  { job: started, owner, pages }: FirstPages,
  context: BackfillContext,
): Promise<ResponseOf<typeof backfillQueue>> {
  let job = started;
  const save = ({ end }: Pick<JobPage<BackfillJob>, 'end'>, releases: boolean) => {
    const { projectId, jobId, cursor, counts } = job;
    const state = end ?? ({ state: 'running', reason: null } as const);
    return deps.controlPlane.saveJob({ projectId, jobId, owner, cursor, counts, releases, ...state });
  };
  try {
    for (let page = 1; ; page++) {
      const { job: next, end } = await runBackfillPage(deps, job, context);
      job = next;
      const continues = await save({ end }, page >= pages);
      if (end?.state === 'failed') throw notFound('queue not found');
      if (end || !continues || page >= pages) return responseOf(job, end !== undefined);
    }
  } catch (error) {
    const reason = failureReason(error);
    // Best effort: the lease ends after some time.
    await save(reason === undefined ? {} : { end: { state: 'failed', reason } }, true).catch(() => false);
    throw error;
  }
}

function responseOf({ jobId, counts }: BackfillJob, complete: boolean): ResponseOf<typeof backfillQueue> {
  const { matched = 0, not_decided = 0, events: examined } = counts;
  return { matched, not_decided, examined, complete, job_id: jobId };
}
