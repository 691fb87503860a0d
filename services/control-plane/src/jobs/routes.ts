import { evaluateStoredEvents, getJob, listJobs, stopJob } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { BindAudited } from '../audit/bind-audited.js';
import type { MetricDeps } from '../metrics/metric-repository.js';
import { makeEvaluateStoredEvents } from './evaluate-stored-events.js';
import { makeGetJob } from './get-job.js';
import type { JobDeps } from './job-document.js';
import { makeListJobs } from './list-jobs.js';
import { makeStopJob } from './stop-job.js';

export function jobRoutes(deps: MetricDeps & JobDeps & { readonly bindAudited: BindAudited }): Binding[] {
  const { bindAudited } = deps;
  return [
    bindAudited(evaluateStoredEvents, makeEvaluateStoredEvents(deps), 'job.started', (_, { job }) => job.id),
    bind(listJobs, makeListJobs(deps)),
    bind(getJob, makeGetJob(deps)),
    bindAudited(stopJob, makeStopJob(deps), 'job.stopped', ({ params }) => params.job_id),
  ];
}
