import { isAdministrator, mayManageProject, type Principal } from '@assay/domain';
import { AppError, notFound } from '@assay/errors';
import type { Project, ProjectCollection } from './project-document.js';

/**
 * The project whose keys this principal may manage.
 * @throws AppError `NOT_FOUND` when there is none or it is not the key's own, in the same words, so that nobody learns of other
 * projects; `FORBIDDEN` for a key that may only ingest
 */
export async function managedProject(
  projects: ProjectCollection,
  principal: Principal,
  projectId: string,
): Promise<Project> {
  if (!isAdministrator(principal) && principal.projectId !== projectId) throw notFound('project not found');
  if (!mayManageProject(principal, projectId)) throw new AppError('FORBIDDEN', 'this key may only ingest');
  const project = await projects.get(projectId);
  if (!project) throw notFound('project not found');
  return project;
}
