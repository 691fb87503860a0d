import { startJobs, type ControlPlane, type JobContext, type JobPage } from '@assay/control-plane-client';
import type { EvaluationJob } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { Logger } from '@assay/runtime';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import { runJobPage, type JobPageDeps } from './job-page.js';

export interface EvaluationJobOptions extends JobPageDeps {
  readonly controlPlane: Pick<ControlPlane, 'claimJob' | 'saveJob'>;
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  /** Name of this process, unlike those of all others. */
  readonly owner: string;
  /** Projects whose jobs this process runs; empty: all. */
  readonly projectIds: readonly string[];
  readonly logger: Logger;
}

/** Starts the jobs that evaluate stored events. */
export function startEvaluationJobs(options: EvaluationJobOptions): { stop(): Promise<void> } {
  const { controlPlane, definitions, now } = options;

  async function runPage(job: EvaluationJob, context: JobContext): Promise<JobPage<EvaluationJob>> {
    const metric = (await definitions.of(job.projectId, now())).get(job.metricId)?.metric;
    if (metric === undefined) return { job, end: { state: 'failed', reason: 'the metric was deleted' } };
    try {
      const { job: page, isLast } = await runJobPage(options, job, { ...context, metric });
      return isLast ? { job: page, end: { state: 'completed', reason: null } } : { job: page };
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'VALIDATION_ERROR')) throw error;
      const reason = 'the events cannot be searched, narrow the filters or the range';
      return { job, end: { state: 'failed', reason } };
    }
  }

  return startJobs({
    ...options,
    claim: (claim) => controlPlane.claimJob(claim),
    saveJob: (progress) => controlPlane.saveJob(progress),
    runPage,
  });
}
