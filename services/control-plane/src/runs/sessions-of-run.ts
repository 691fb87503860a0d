import { canonicalUuid, isUuid } from '@assay/domain';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { RunCollection } from './run-document.js';

/** Returns a function that returns the sessions that a run lists; none of a run that does not exist. */
export function makeSessionsOfRun(deps: { readonly runs: RunCollection }) {
  return async (projectId: string, runId: string): Promise<readonly string[]> => {
    if (!isUuid(runId)) return [];
    const run = await new ProjectScopedCollection(deps.runs, projectId).get(canonicalUuid(runId));
    return run?.event_ids ?? [];
  };
}
