import { NO_COUNTS } from '@assay/domain';
import { AppError } from '@assay/errors';
import { newId } from '../shared/new-id.js';
import type { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { kindOf, MAX_ENDED_JOBS, NOT_LEASED, slotsOf, type Job, type JobFields } from './job-document.js';

type Jobs = ProjectScopedCollection<JobFields>;

/** What a job does, and the process that runs it first, if there is one. */
export type NewJob = Pick<JobFields, 'metric_id' | 'metric_name' | 'queue_id' | 'filters' | 'from' | 'to'> &
  Partial<Pick<JobFields, 'lease_owner' | 'lease_until'>> & { readonly now: Date };

/** Creates a job that runs. Returns undefined when the project runs the maximum number of jobs of the kind. */
export async function startJob(jobs: Jobs, { now, ...content }: NewJob): Promise<Job | undefined> {
  await removeOldJobs(jobs);
  const progress = { state: 'running', reason: null, cursor: null, counts: NO_COUNTS } as const;
  const times = { created_at: now.toISOString(), updated_at: now.toISOString() };
  const fields = { project_id: jobs.projectId, ...progress, ...times, ...NOT_LEASED, ...content };
  // The unique slots bound the jobs that run, also when several are started at the same time.
  for (const slot of slotsOf(kindOf(content))) {
    try {
      return await jobs.insert(newId(), { ...fields, slot });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
    }
  }
  return undefined;
}

async function removeOldJobs(jobs: Jobs): Promise<void> {
  const query = { orderBy: 'created_at', descending: true, offset: MAX_ENDED_JOBS };
  const old = await jobs.page(query, MAX_ENDED_JOBS);
  await jobs.deleteAll(old.filter(({ state }) => state !== 'running').map(({ id }) => id));
}
