import type { ResponseOf, CreateConfigurationRequest, createConfiguration as route } from '@assay/contracts';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { newId } from '../shared/new-id.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { completeParameters, type ConfigurationDeps, keysOf } from './configuration-document.js';

/**
 * Creates a configuration. @throws AppError `CONFLICT` if the project has the maximum number of
 * configurations
 */
export function makeCreateConfiguration(deps: ConfigurationDeps) {
  return async function createConfiguration(
    { body }: { body: CreateConfigurationRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const collection = new ProjectScopedCollection(deps.configurations, caller.projectId);
    await collection.assertQuota('configurations');
    const { name, provider, type = 'LLM', env = [], tags = [], user_properties = null } = body;
    const created_at = deps.now().toISOString();
    const content = withinSize('configuration', {
      name,
      type,
      provider,
      parameters: completeParameters(body.parameters),
      env,
      tags,
      user_properties,
    });
    const times = { created_at, updated_at: created_at };
    const { id } = await collection.insert(newId(), {
      project_id: caller.projectId,
      ...content,
      ...keysOf(content),
      ...times,
    });
    return { acknowledged: true, insertedId: id };
  };
}
