import { notFound } from '@assay/errors';
import type { RequestActor } from '../../shared/operation-context.js';
import type { Audit } from '../../audit/audit.js';
import { managedProject } from '../projects/managed-project.js';
import { updateWithRetry } from '../../shared/update-with-retry.js';
import type { ProjectCollection } from '../projects/project-document.js';
import type { ApiKey, ApiKeyCollection } from './key-document.js';

/**
 * Revokes a key. Processes that have cached it reject it within 30 seconds, all others immediately. The
 * document remains, so that the id stays known. @throws AppError `NOT_FOUND`, also for a key of another
 * project; `FORBIDDEN`
 */
export function makeDeleteApiKey(deps: {
  projects: ProjectCollection;
  keys: ApiKeyCollection;
  audit: Audit;
  now: () => Date;
}) {
  return async function deleteApiKey(
    { params }: { params: { project_id: string; key_id: string } },
    actor: RequestActor,
  ): Promise<{ success: true; deleted: string }> {
    const project = await managedProject(deps.projects, actor.caller, params.project_id);
    const find = async () => {
      const key = await deps.keys.get(params.key_id);
      return key?.project_id === project.id && key.revoked_at === null ? key : undefined;
    };
    const revoke = (key: ApiKey): ApiKey => ({ ...key, revoked_at: deps.now().toISOString() });
    const revoked = await updateWithRetry(deps.keys, find, revoke);
    if (!revoked) throw notFound('key not found');
    await deps.audit({ action: 'key.revoked', projectId: project.id, subjectId: revoked.id }, actor);
    return { success: true, deleted: revoked.id };
  };
}
