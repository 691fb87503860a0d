import { notFound } from '@assay/errors';
import type { RequestActor } from '../../shared/operation-context.js';
import type { Audit } from '../../audit/audit.js';
import { insertIfAbsent } from '../../shared/insert-if-absent.js';
import type { ProjectDeletionCollection } from './project-deletion.js';
import { trimmedName, type ProjectCollection } from './project-document.js';

export interface DeleteProjectDeps {
  readonly projects: ProjectCollection;
  readonly deletions: ProjectDeletionCollection;
  readonly audit: Audit;
  readonly now: () => Date;
  /** Starts the removal of the data of deleted projects, without waiting for it. */
  readonly wakeMaintenance: () => void;
}

/**
 * Deletes the project of this name. A deletion record is written first, so that a restarted process can
 * continue. Its keys become invalid with the project; its data is removed afterwards, in batches.
 * Administrator only. @throws AppError `NOT_FOUND`
 */
export function makeDeleteProject(deps: DeleteProjectDeps) {
  return async function deleteProject(
    { query }: { query: { name: string } },
    actor: RequestActor,
  ): Promise<{ success: true; deleted: string }> {
    const project = await deps.projects.findUnique({ name: trimmedName(query.name) });
    if (!project) throw notFound('project not found');
    await insertIfAbsent(deps.deletions, project.id, {
      deleted_at: deps.now().toISOString(),
      removed_at: null,
    });
    if (!(await deps.projects.delete(project.id))) throw notFound('project not found');
    deps.wakeMaintenance();
    await deps.audit({ action: 'project.deleted', projectId: project.id, subjectId: project.id }, actor);
    return { success: true, deleted: project.id };
  };
}
