import type { ResponseOf, stopJob as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { endedJob, toJobResponse, type JobDeps } from './job-document.js';

/**
 * Stops a job; one that has ended stays as it is. The process that runs it learns of it when it saves its progress.
 * @throws AppError `NOT_FOUND`, `CONFLICT`
 */
export function makeStopJob(deps: JobDeps) {
  return async function stopJob(
    { params }: { params: { job_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const updated_at = deps.now().toISOString();
    const job = await new ProjectScopedCollection(deps.jobs, caller.projectId).update(
      params.job_id,
      (found) => (found.state === 'running' ? endedJob(found, { state: 'stopped', updated_at }) : found),
    );
    if (!job) throw notFound('job not found');
    return { job: toJobResponse(job) };
  };
}
