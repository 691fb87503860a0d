import type { ControlPlane, JobClaim } from '@assay/control-plane-client';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { endedJob, LEASE_MS, toEvaluationJob, type Job, type JobDeps } from './job-document.js';

/** Jobs of a page of candidates; the projects of a data plane may be far behind those of others. */
const CANDIDATES = 100;
const MAX_PAGES = 100;

/** Returns what the processes that run jobs use. */
export function jobsForDataPlane(deps: JobDeps): Pick<ControlPlane, 'claimJob' | 'saveJob'> {
  return { claimJob: makeClaimJob(deps), saveJob: makeSaveJob(deps) };
}

/** Takes the job whose lease ended first. Of concurrent claims of a job one succeeds, and the others take the next. */
function makeClaimJob({ jobs, now }: JobDeps): ControlPlane['claimJob'] {
  return async function claimJob(claim) {
    const time = now();
    const lease = {
      lease_owner: claim.owner,
      lease_until: new Date(time.getTime() + LEASE_MS).toISOString(),
    };
    for (let page = 0; page < MAX_PAGES; page++) {
      const candidates = await jobs.list({
        equals: { state: 'running' },
        where: [{ field: 'lease_until', to: time.toISOString() }],
        orderBy: 'lease_until',
        offset: page * CANDIDATES,
        limit: CANDIDATES,
      });
      for (const candidate of candidates) {
        const claimed = mayClaim(claim, candidate) && (await jobs.replace({ ...candidate, ...lease }));
        if (claimed)
          return toEvaluationJob({ ...claimed, id: claimed.id.slice(claimed.project_id.length + 1) });
      }
      if (candidates.length < CANDIDATES) return undefined;
    }
    return undefined;
  };
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
  return async function saveJob({ projectId, jobId, owner, cursor, counts, state, reason }) {
    let isOwn = false;
    await new ProjectScopedCollection(jobs, projectId).update(jobId, (job) => {
      isOwn = job.state === 'running' && job.lease_owner === owner;
      if (!isOwn) return job;
      const time = now();
      const change = { cursor, counts, reason, updated_at: time.toISOString() };
      if (state !== 'running') return endedJob(job, { ...change, state });
      return { ...job, ...change, lease_until: new Date(time.getTime() + LEASE_MS).toISOString() };
    });
    return isOwn && state === 'running';
  };
}
