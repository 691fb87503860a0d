import { notFound } from '@assay/errors';
import type { Asker } from '../access/asker.js';
import type { Audit } from '../access/audit.js';
import type { KeyRecords } from '../keys/key-records.js';
import { trimmedName } from './project-name.js';
import type { ProjectRecords } from './project-records.js';

const PAGE = 100;

/**
 * Deletes the project of this name. Its keys stop working with the project itself, so the project goes first; what is left of the
 * keys if the process ends in between opens nothing. The route lets in the administrator only.
 * @throws AppError `NOT_FOUND`
 */
export function makeDeleteProject(deps: { projects: ProjectRecords; keys: KeyRecords; audit: Audit }) {
  return async function deleteProject(
    { query }: { query: { name: string } },
    { caller }: Asker,
  ): Promise<{ success: true; deleted: string }> {
    const project = await deps.projects.findUnique({ name: trimmedName(query.name) });
    if (!project || !(await deps.projects.delete(project.id))) throw notFound('project not found');
    deps.audit({ action: 'project deleted', projectId: project.id }, caller);
    await deleteKeys(deps.keys, project.id);
    return { success: true, deleted: project.id };
  };
}

async function deleteKeys(keys: KeyRecords, projectId: string): Promise<void> {
  const equals = { project_id: projectId };
  let found = await keys.list({ equals, limit: PAGE });
  while (found.length > 0) {
    for (const { id } of found) await keys.delete(id);
    found = await keys.list({ equals, limit: PAGE });
  }
}
