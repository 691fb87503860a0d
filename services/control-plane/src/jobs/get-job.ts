import type { getJob as route, ResponseOf } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { toJobResponse, type JobDeps } from './job-document.js';

/** Returns a job with its progress. @throws AppError `NOT_FOUND` */
export function makeGetJob(deps: JobDeps) {
  return async function getJob(
    { params }: { params: { job_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const job = await new ProjectScopedCollection(deps.jobs, caller.projectId).get(params.job_id);
    if (!job) throw notFound('job not found');
    return { job: toJobResponse(job) };
  };
}
