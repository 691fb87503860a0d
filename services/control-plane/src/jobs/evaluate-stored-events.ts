import type {
  EvaluateStoredEventsRequest,
  evaluateStoredEvents as route,
  ResponseOf,
} from '@assay/contracts';
import { acceptDateRange, acceptFilters, NO_COUNTS } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import { MetricRepository, type MetricDeps } from '../metrics/metric-repository.js';
import { newId } from '../shared/new-id.js';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import {
  MAX_ENDED_JOBS,
  MAX_RUNNING_JOBS,
  toJobResponse,
  type Job,
  type JobDeps,
  type JobFields,
} from './job-document.js';

type Jobs = ProjectScopedCollection<JobFields>;

/**
 * Starts a job that evaluates the stored events in a range, as it is now, by a metric.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for a metric of type HUMAN, `CONFLICT` when the project runs the
 * maximum number of jobs
 */
export function makeEvaluateStoredEvents(deps: MetricDeps & JobDeps) {
  return async function evaluateStoredEvents(
    { params, body }: { params: { metric_id: string }; body: EvaluateStoredEventsRequest },
    { caller: { projectId } }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const metric = await new MetricRepository(deps, projectId).getExisting(params.metric_id);
    if (metric.type === 'HUMAN')
      throw validationError('a metric of type HUMAN is scored by people, choose another');
    const now = deps.now();
    const { from = null, to = now.getTime() } = acceptDateRange(body.dateRange, now.getTime());
    const jobs = new ProjectScopedCollection(deps.jobs, projectId);
    await removeOldJobs(jobs);
    const job = await insertInSlot(jobs, {
      ...{ project_id: projectId, metric_id: params.metric_id, metric_name: metric.name },
      ...{ filters: acceptFilters(body.filters ?? [], 'strict'), from, to },
      ...{
        state: 'running',
        reason: null,
        cursor: null,
        counts: NO_COUNTS,
        lease_owner: '',
        lease_until: '',
      },
      created_at: now.toISOString(),
      updated_at: now.toISOString(),
    });
    return { job: toJobResponse(job) };
  };
}

/** The unique slots bound the jobs that run, also when several are started at the same time. */
async function insertInSlot(jobs: Jobs, fields: JobFields): Promise<Job> {
  for (let slot = 0; slot < MAX_RUNNING_JOBS; slot++) {
    try {
      return await jobs.insert(newId(), { ...fields, slot });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
    }
  }
  throw new AppError(
    'CONFLICT',
    `the project runs ${MAX_RUNNING_JOBS} jobs, wait for one of them or stop it`,
  );
}

async function removeOldJobs(jobs: Jobs): Promise<void> {
  const query = { orderBy: 'created_at', descending: true, offset: MAX_ENDED_JOBS };
  const old = await jobs.page(query, MAX_ENDED_JOBS);
  await jobs.deleteAll(old.filter(({ state }) => state !== 'running').map(({ id }) => id));
}
