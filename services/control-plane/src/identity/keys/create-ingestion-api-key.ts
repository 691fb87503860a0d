import type {
  createIngestionApiKey as route,
  ResponseOf,
  CreateIngestionApiKeyRequest,
} from '@assay/contracts';
import type { RequestActor } from '../../shared/operation-context.js';
import { managedProject } from '../projects/managed-project.js';
import type { ProjectCollection } from '../projects/project-document.js';
import { assertMayGrant } from './grantable-permissions.js';
import type { IssueKey } from './issue-key.js';

/**
 * Creates a key that may only send events and sessions.
 * @throws AppError `NOT_FOUND`, `FORBIDDEN`, `CONFLICT` if the project has the maximum number of keys
 */
export function makeCreateIngestionApiKey(deps: { projects: ProjectCollection; issueKey: IssueKey }) {
  return async function createIngestionApiKey(
    { params, body }: { params: { project_id: string }; body: CreateIngestionApiKeyRequest },
    actor: RequestActor,
  ): Promise<ResponseOf<typeof route>> {
    const project = await managedProject(deps.projects, actor.caller, params.project_id);
    assertMayGrant(actor.caller, ['events:write']);
    const { name, description, limits } = body;
    const { text, record } = await deps.issueKey(
      { projectId: project.id, scope: 'ingest', name, description, limits },
      actor,
    );
    const root = { root_scope_type: 'project', root_scope_id: project.id };
    return {
      success: true,
      data: {
        ...{ key_value: text, key_id: record.id, ...root, name },
        ...{ description: record.description, expires_at: record.expires_at },
        ...(limits && { limits }),
      },
    };
  };
}
