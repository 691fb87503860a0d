import type { ResponseOf, deleteConfiguration as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { ConfigurationDeps } from './configuration-document.js';

/** Deletes a configuration. @throws AppError `NOT_FOUND` */
export function makeDeleteConfiguration(deps: ConfigurationDeps) {
  return async function deleteConfiguration(
    { params }: { params: { configId: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const deleted = await new ProjectScopedCollection(deps.configurations, caller.projectId).delete(
      params.configId,
    );
    if (!deleted) throw notFound('configuration not found');
    return { acknowledged: true, deletedCount: 1 };
  };
}
