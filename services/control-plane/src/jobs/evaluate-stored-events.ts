import type {
  EvaluateStoredEventsRequest,
  evaluateStoredEvents as route,
  ResponseOf,
} from '@assay/contracts';
import { acceptDateRange, acceptFilters, traitsOf } from '@assay/domain';
import { AppError, validationError } from '@assay/errors';
import { MetricRepository, type MetricDeps } from '../metrics/metric-repository.js';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { MAX_RUNNING_JOBS, toJobResponse, type JobDeps } from './job-document.js';
import { startJob } from './start-job.js';

/**
 * Starts a job that evaluates the stored events in a range, as it is now, by a metric. The filters of the job are a search, also by
 * what sessions derive from their events; those of the metric decide about each event, and can be of an earlier release.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for a metric that people score, `CONFLICT` when the project runs the maximum
 * number of jobs
 */
export function makeEvaluateStoredEvents(deps: MetricDeps & JobDeps) {
  return async function evaluateStoredEvents(
    { params, body }: { params: { metric_id: string }; body: EvaluateStoredEventsRequest },
    { caller: { projectId } }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const metric = await new MetricRepository(deps, projectId).getExisting(params.metric_id);
    if (!traitsOf(metric).isEvaluated)
      throw validationError(`a metric of type ${metric.type} is scored by people, choose another`);
    const now = deps.now();
    const { from = null, to = now.getTime() } = acceptDateRange(body.dateRange, now.getTime());
    const job = await startJob(new ProjectScopedCollection(deps.jobs, projectId), {
      ...{ metric_id: params.metric_id, metric_name: metric.name },
      ...{ filters: acceptFilters(body.filters ?? [], 'strict'), from, to, now },
    });
    if (!job) throw tooManyJobs();
    return { job: toJobResponse(job) };
  };
}

function tooManyJobs(): AppError {
  return new AppError(
    'CONFLICT',
    `the project runs ${MAX_RUNNING_JOBS} jobs, wait for one of them or stop it`,
  );
}
