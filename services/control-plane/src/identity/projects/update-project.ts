import { type ProjectResponse, type UpdateProjectRequest, updateProject as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { RequestActor } from '../../shared/operation-context.js';
import { type Audit, sentFields } from '../../audit/audit.js';
import { updateWithRetry } from '../../shared/update-with-retry.js';
import {
  bounds,
  exportOf,
  trimmedName,
  withFreeName,
  toProjectResponse,
  type Project,
  type ProjectCollection,
} from './project-document.js';

/**
 * Updates the project of this name. Absent fields are unchanged. Administrator only.
 * @throws AppError `NOT_FOUND`, `CONFLICT` if the new name is taken, `VALIDATION_ERROR` if it is blank
 */
export function makeUpdateProject(deps: { projects: ProjectCollection; audit: Audit; now: () => Date }) {
  return async function updateProject(
    { body }: { body: UpdateProjectRequest },
    actor: RequestActor,
  ): Promise<ProjectResponse> {
    const name = trimmedName(body.name);
    const find = () => deps.projects.findUnique({ name });
    const change = (project: Project) => changedProject(project, body, deps.now());
    const project = await withFreeName(() => updateWithRetry(deps.projects, find, change));
    if (!project) throw notFound('project not found');
    const fields = sentFields(route.body, body).filter((field) => field !== 'name');
    await deps.audit(
      { action: 'project.changed', projectId: project.id, subjectId: project.id, fields },
      actor,
    );
    return toProjectResponse(project);
  };
}

function changedProject(project: Project, body: UpdateProjectRequest, now: Date): Project {
  const { export: exported, ...others } = project;
  return {
    ...others,
    name: body.new_name === undefined ? project.name : trimmedName(body.new_name, 'new_name'),
    description: body.description ?? project.description,
    type: body.type ?? project.type,
    ...bounds(body),
    ...exportOf(body.export, exported, now),
    updated_at: now.toISOString(),
  };
}
