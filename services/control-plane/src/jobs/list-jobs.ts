import type { listJobs as route, ResponseOf } from '@assay/contracts';
import { JOB_KINDS } from '@assay/domain';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { MAX_ENDED_JOBS, MAX_RUNNING_JOBS, toJobResponse, type JobDeps } from './job-document.js';

/** Lists the jobs of the project, newest first. */
export function makeListJobs(deps: JobDeps) {
  return async function listJobs(
    _request: object,
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const jobs = new ProjectScopedCollection(deps.jobs, caller.projectId);
    const limit = MAX_ENDED_JOBS + JOB_KINDS.length * MAX_RUNNING_JOBS;
    const page = await jobs.page({ orderBy: 'created_at', descending: true }, limit);
    return { jobs: page.map(toJobResponse) };
  };
}
