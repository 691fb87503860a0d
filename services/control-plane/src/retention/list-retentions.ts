import type { ControlPlane } from '@assay/control-plane-client';
import { effectiveRetention, latestCutoff, cutoffsOf, type Retention } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Project, ProjectCollection } from '../identity/projects/project-document.js';

export interface RetentionDeps {
  readonly projects: ProjectCollection;
  /** Days of the installation; absent: for ever. */
  readonly retentionDays?: number;
  readonly now: () => Date;
}

const PAGE = 500;
const CURSOR = /^\d{1,9}$/;

/** The rule that holds for a project; undefined when its events never expire. */
export function retentionOf(
  project: Pick<Project, 'retention'>,
  { retentionDays, now }: RetentionDeps,
): Retention | undefined {
  const retention = effectiveRetention(project.retention, retentionDays);
  return latestCutoff(cutoffsOf(retention, now().getTime())) === undefined ? undefined : retention;
}

/** Lists the projects whose events expire, for data planes, which hold the events. */
export function makeListRetentions(deps: RetentionDeps): ControlPlane['retentions'] {
  return async function listRetentions(after) {
    if (after !== null && !CURSOR.test(after)) throw validationError('after must be the next of a page');
    const offset = Number(after ?? 0);
    const found = await deps.projects.list({ equals: {}, offset, limit: PAGE });
    const projects = found.flatMap((project) => {
      const retention = retentionOf(project, deps);
      const { id: projectId, keep_referenced: keepReferenced = false } = project;
      return retention ? [{ projectId, retention, keepReferenced }] : [];
    });
    return { projects, next: found.length < PAGE ? null : String(offset + PAGE) };
  };
}
