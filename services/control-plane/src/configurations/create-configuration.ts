import type { AnswerOf, CreateConfigurationRequest, createConfiguration as route } from '@assay/contracts';
import type { Asking } from '../records/asking.js';
import { newId } from '../records/new-id.js';
import { RecordsInProject } from '../records/records-in-project.js';
import { completeParameters, type ConfigurationDeps, keysOf } from './configuration-records.js';

/** @throws AppError `CONFLICT` when the project has too many configurations */
export function makeCreateConfiguration(deps: ConfigurationDeps) {
  return async function createConfiguration(
    { body }: { body: CreateConfigurationRequest },
    { caller }: Asking,
  ): Promise<AnswerOf<typeof route>> {
    const records = new RecordsInProject(deps.configurations, caller.projectId);
    await records.checkRoom('configurations');
    const { name, provider, type = 'LLM', env = [], tags = [], user_properties = null } = body;
    const created_at = deps.now().toISOString();
    const content = {
      name,
      type,
      provider,
      parameters: completeParameters(body.parameters),
      env,
      tags,
      user_properties,
    };
    const times = { created_at, updated_at: created_at };
    const { id } = await records.insert(newId(), {
      project_id: caller.projectId,
      ...content,
      ...keysOf(content),
      ...times,
    });
    return { acknowledged: true, insertedId: id };
  };
}
