import type { ControlPlane } from '@assay/control-plane-client';
import { validationError } from '@assay/errors';
import type { ProjectCollection } from '../identity/projects/project-document.js';

const PAGE = 500;
const CURSOR = /^\d{1,9}$/;

/** Lists the projects whose events are exported to an object store, for data planes, which hold the events. */
export function makeListExports(deps: { readonly projects: ProjectCollection }): ControlPlane['exports'] {
  return async function listExports(after) {
    if (after !== null && !CURSOR.test(after)) throw validationError('after must be the next of a page');
    const offset = Number(after ?? 0);
    const found = await deps.projects.list({ equals: {}, offset, limit: PAGE });
    const projects = found.flatMap(({ id: projectId, name: projectName, export: exported }) =>
      exported ? [{ projectId, projectName, ...exported }] : [],
    );
    return { projects, next: found.length < PAGE ? null : String(offset + PAGE) };
  };
}
