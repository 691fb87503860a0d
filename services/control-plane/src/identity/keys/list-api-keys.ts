import type { ApiKeyResponse } from '@assay/contracts';
import type { RequestActor } from '../../shared/operation-context.js';
import { managedProject } from '../projects/managed-project.js';
import type { ProjectCollection } from '../projects/project-document.js';
import { toApiKeyResponse, type ApiKeyCollection } from './key-document.js';

/** Maximum number of active keys in a project. */
const LIMIT = 1_000;

/**
 * Lists the active keys of a project, newest first, without their secrets. @throws AppError `NOT_FOUND`,
 * `FORBIDDEN`
 */
export function makeListApiKeys(deps: { projects: ProjectCollection; keys: ApiKeyCollection }) {
  return async function listApiKeys(
    { params }: { params: { project_id: string } },
    { caller }: RequestActor,
  ): Promise<{ success: true; data: ApiKeyResponse[] }> {
    const project = await managedProject(deps.projects, caller, params.project_id);
    const equals = { project_id: project.id, revoked_at: null };
    const found = await deps.keys.list({ equals, orderBy: 'created_at', descending: true, limit: LIMIT });
    return { success: true, data: found.map(toApiKeyResponse) };
  };
}
