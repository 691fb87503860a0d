import { notFound } from '@assay/errors';
import type { RequestActor } from '../../shared/request-actor.js';
import type { Audit } from '../../audit/audit.js';
import { managedProject } from '../projects/managed-project.js';
import { updateWithRetry } from '../../shared/update-with-retry.js';
import type { ProjectRecords } from '../projects/project-document.js';
import type { KeyRecord, KeyRecords } from './key-document.js';

/**
 * Revokes a key: it is refused from now on, and within 30 seconds by every process that has seen it. The record stays, so that its
 * id can be told from one that never was. @throws AppError `NOT_FOUND` (also for a key of another project), `FORBIDDEN`
 */
export function makeDeleteApiKey(deps: {
  projects: ProjectRecords;
  keys: KeyRecords;
  audit: Audit;
  now: () => Date;
}) {
  return async function deleteApiKey(
    { params }: { params: { project_id: string; key_id: string } },
    asker: RequestActor,
  ): Promise<{ success: true; deleted: string }> {
    const project = await managedProject(deps.projects, asker.caller, params.project_id);
    const find = async () => {
      const key = await deps.keys.get(params.key_id);
      return key?.project_id === project.id && key.revoked_at === null ? key : undefined;
    };
    const revoke = (key: KeyRecord): KeyRecord => ({ ...key, revoked_at: deps.now().toISOString() });
    const revoked = await updateWithRetry(deps.keys, find, revoke);
    if (!revoked) throw notFound('key not found');
    await deps.audit({ action: 'key.revoked', projectId: project.id, subjectId: revoked.id }, asker);
    return { success: true, deleted: revoked.id };
  };
}
