import type { ControlPlane, JobClaim } from '@assay/control-plane-client';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import {
  endedJob,
  leasedBy,
  NOT_LEASED,
  toBackfillJob,
  toEvaluationJob,
  type Job,
  type JobDeps,
} from './job-document.js';

/** Jobs of a page of candidates; the projects of a data plane may be far behind those of others. */
const CANDIDATES = 100;
const MAX_PAGES = 100;

/** Returns what the processes that run jobs use. */
export function jobsForDataPlane(
  deps: JobDeps,
): Pick<ControlPlane, 'claimJob' | 'claimBackfill' | 'saveJob'> {
  return {
    claimJob: makeClaim(deps, toEvaluationJob),
    claimBackfill: makeClaim(deps, toBackfillJob),
    saveJob: makeSaveJob(deps),
  };
}

/**
 * Takes the job whose lease ended first, of those that `convert` returns. Of concurrent claims of a job one succeeds, and
 * the others take the next.
 */
function makeClaim<Claimed>({ jobs, now }: JobDeps, convert: (job: Job) => Claimed | undefined) {
  return async function claim(request: JobClaim): Promise<Claimed | undefined> {
    const time = now();
    for (let page = 0; page < MAX_PAGES; page++) {
      const candidates = await jobs.list({
        equals: { state: 'running' },
        where: [{ field: 'lease_until', to: time.toISOString() }],
        orderBy: 'lease_until',
        offset: page * CANDIDATES,
        limit: CANDIDATES,
      });
      for (const candidate of candidates) {
        const job = mayClaim(request, candidate) ? convert(withoutPrefix(candidate)) : undefined;
        if (job && (await jobs.replace({ ...candidate, ...leasedBy(request.owner, time) }))) return job;
      }
      if (candidates.length < CANDIDATES) return undefined;
    }
    return undefined;
  };
}

function withoutPrefix(job: Job): Job {
  return { ...job, id: job.id.slice(job.project_id.length + 1) };
}

function mayClaim(
  { projectIds, busyProjectIds, mayActFor }: JobClaim,
  { project_id: projectId }: Job,
): boolean {
  if (busyProjectIds.includes(projectId)) return false;
  if (projectIds.length > 0 && !projectIds.includes(projectId)) return false;
  return mayActFor?.(projectId) ?? true;
}

function makeSaveJob({ jobs, now }: JobDeps): ControlPlane['saveJob'] {
  return async function saveJob({ projectId, jobId, owner, releases, ...progress }) {
    let isOwn = false;
    await new ProjectScopedCollection(jobs, projectId).update(jobId, (job) => {
      isOwn = job.state === 'running' && job.lease_owner === owner;
      if (!isOwn) return job;
      const time = now();
      const { cursor, counts, reason, state } = progress;
      const change = { cursor, counts, reason, updated_at: time.toISOString() };
      if (state !== 'running') return endedJob(job, { ...change, state });
      return { ...job, ...change, ...(releases ? NOT_LEASED : leasedBy(owner, time)) };
    });
    return isOwn && progress.state === 'running';
  };
}
