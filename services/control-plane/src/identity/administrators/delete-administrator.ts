import { notFound } from '@assay/errors';
import type { Audit } from '../../audit/audit.js';
import type { RequestActor } from '../../shared/operation-context.js';
import type { AdministratorCollection } from './administrator-document.js';

/**
 * Deletes a named administrator. Processes that have cached the token reject it within 30 seconds, all others immediately. The audit trail
 * keeps the name. @throws AppError `NOT_FOUND`
 */
export function makeDeleteAdministrator(deps: { administrators: AdministratorCollection; audit: Audit }) {
  return async function deleteAdministrator(
    { params }: { params: { administrator_id: string } },
    actor: RequestActor,
  ): Promise<{ success: true; deleted: string }> {
    const id = params.administrator_id;
    if (!(await deps.administrators.delete(id))) throw notFound('administrator not found');
    await deps.audit({ action: 'administrator.deleted', projectId: null, subjectId: id }, actor);
    return { success: true, deleted: id };
  };
}
