import type { ResponseOf, UpdateConfigurationRequest, updateConfiguration as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import {
  completeParameters,
  type Configuration,
  type ConfigurationDeps,
  keysOf,
} from './configuration-document.js';

/**
 * Replaces the given fields of a configuration, `parameters` as a whole. @throws AppError `NOT_FOUND`,
 * `CONFLICT`, `PAYLOAD_TOO_LARGE`
 */
export function makeUpdateConfiguration(deps: ConfigurationDeps) {
  return async function updateConfiguration(
    { params, body }: { params: { configId: string }; body: UpdateConfigurationRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const collection = new ProjectScopedCollection(deps.configurations, caller.projectId);
    const changed = await collection.update(params.configId, (before) =>
      changedConfiguration(before, body, deps.now()),
    );
    if (!changed) throw notFound('configuration not found');
    return { acknowledged: true, modifiedCount: 1, upsertedId: null, upsertedCount: 0, matchedCount: 1 };
  };
}

function changedConfiguration(
  before: Configuration,
  body: UpdateConfigurationRequest,
  now: Date,
): Configuration {
  const changed = {
    name: body.name,
    type: body.type ?? before.type,
    provider: body.provider ?? before.provider,
    parameters: body.parameters ? completeParameters(body.parameters) : before.parameters,
    env: body.env ?? before.env,
    tags: body.tags ?? before.tags,
    user_properties: body.user_properties === undefined ? before.user_properties : body.user_properties,
  };
  withinSize('configuration', changed, before);
  return { ...before, ...changed, ...keysOf(changed), updated_at: now.toISOString() };
}
