import type {
  createFineGrainedApiKey as route,
  ResponseOf,
  CreateFineGrainedApiKeyRequest,
} from '@assay/contracts';
import { futureTime } from '../../shared/future-time.js';
import type { RequestActor } from '../../shared/operation-context.js';
import { managedProject } from '../projects/managed-project.js';
import type { ProjectCollection } from '../projects/project-document.js';
import { assertMayGrant } from './grantable-permissions.js';
import type { IssueKey } from './issue-key.js';

/** Name of a key whose creator chose none. */
const DEFAULT_NAME = 'project key';

/**
 * Creates a key of a project, with all of its rights or, if `permissions` is not empty, only these.
 * @throws AppError `NOT_FOUND`, `FORBIDDEN`, `VALIDATION_ERROR` if `expires_at` is not in the future,
 * `CONFLICT` if the project has the maximum number of keys
 */
export function makeCreateFineGrainedApiKey(deps: {
  projects: ProjectCollection;
  issueKey: IssueKey;
  now: () => Date;
}) {
  return async function createFineGrainedApiKey(
    { params, body }: { params: { project_id: string }; body: CreateFineGrainedApiKeyRequest },
    actor: RequestActor,
  ): Promise<ResponseOf<typeof route>> {
    const project = await managedProject(deps.projects, actor.caller, params.project_id);
    assertMayGrant(actor.caller, body.permissions);
    const expiresAt =
      body.expires_at === undefined ? null : futureTime(body.expires_at, 'expires_at', deps.now());
    const { name = DEFAULT_NAME, description, permissions, limits } = body;
    const key = {
      projectId: project.id,
      scope: 'project',
      name,
      description,
      permissions,
      expiresAt,
      limits,
    } as const;
    const { text, record } = await deps.issueKey(key, actor);
    const root = { root_scope_type: 'project', root_scope_id: project.id };
    const texts = { name, description: record.description };
    return {
      success: true,
      data: {
        key_value: text,
        key_id: record.id,
        ...root,
        ...texts,
        permissions,
        expires_at: record.expires_at,
        ...(limits && { limits }),
      },
    };
  };
}
