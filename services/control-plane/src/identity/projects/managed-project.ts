import { isAdministrator, mayManageProject, type Principal } from '@assay/domain';
import { AppError, notFound } from '@assay/errors';
import type { Project, ProjectCollection } from './project-document.js';

/**
 * Returns the project, if this principal may manage its keys.
 * @throws AppError `NOT_FOUND` with the same message for a missing project and for another project than that
 * of the key, so that the existence of projects is not disclosed; `FORBIDDEN` for a key that may only ingest
 */
export async function managedProject(
  projects: ProjectCollection,
  principal: Principal,
  projectId: string,
): Promise<Project> {
  if (!isAdministrator(principal) && principal.projectId !== projectId) throw notFound('project not found');
  if (!mayManageProject(principal, projectId))
    throw new AppError('FORBIDDEN', 'this key may only send events and sessions');
  const project = await projects.get(projectId);
  if (!project) throw notFound('project not found');
  return project;
}
