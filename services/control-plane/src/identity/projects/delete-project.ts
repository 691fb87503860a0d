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
  /** Begins to remove what belonged to deleted projects; nobody waits for it. */
  readonly wakeMaintenance: () => void;
}

/**
 * Deletes the project of this name. First comes the mark that it is deleted, from which a process that starts again goes on; its keys stop
 * working with the project itself. What belonged to it is removed afterwards, step by step. The route lets in the administrator only.
 * @throws AppError `NOT_FOUND`
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
