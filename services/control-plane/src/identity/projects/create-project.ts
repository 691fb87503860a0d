import { type ProjectResponse, type CreateProjectRequest, createProject as route } from '@assay/contracts';
import type { RequestActor } from '../../shared/operation-context.js';
import { type Audit, sentFields } from '../../audit/audit.js';
import { newId } from '../../shared/new-id.js';
import type { IssueKey } from '../keys/issue-key.js';
import { newProject, withFreeName, toProjectResponse, type ProjectCollection } from './project-document.js';

/**
 * Creates a project and its first key, which is never shown again. The project is written first: if the
 * process ends in between, the administrator sees a project without a key and can create one. Administrator
 * only.
 * @throws AppError `CONFLICT` if the name is taken, `VALIDATION_ERROR` if it is blank
 */
export function makeCreateProject(deps: {
  projects: ProjectCollection;
  issueKey: IssueKey;
  audit: Audit;
  now: () => Date;
}) {
  return async function createProject(
    { body }: { body: CreateProjectRequest },
    actor: RequestActor,
  ): Promise<ProjectResponse & { api_key: string }> {
    const fields = newProject(body, deps.now());
    const project = await withFreeName(() => deps.projects.insert(newId(), fields));
    await deps.audit(
      {
        action: 'project.created',
        projectId: project.id,
        subjectId: project.id,
        fields: sentFields(route.body, body),
      },
      actor,
    );
    const { text } = await deps.issueKey(
      { projectId: project.id, scope: 'project', name: 'first key' },
      actor,
    );
    return { ...toProjectResponse(project), api_key: text };
  };
}
