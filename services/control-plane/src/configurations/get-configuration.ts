import type { ConfigurationResponse } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { toConfigurationResponse, type ConfigurationDeps } from './configuration-document.js';

/** Returns a configuration. @throws AppError `NOT_FOUND` */
export function makeGetConfiguration(deps: ConfigurationDeps) {
  return async function getConfiguration(
    { params }: { params: { configId: string } },
    { caller }: OperationContext,
  ): Promise<ConfigurationResponse> {
    const configurations = new ProjectScopedCollection(deps.configurations, caller.projectId);
    const configuration = await configurations.get(params.configId);
    if (!configuration) throw notFound('configuration not found');
    return toConfigurationResponse(configuration);
  };
}
