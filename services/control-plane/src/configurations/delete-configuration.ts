import type { AnswerOf, deleteConfiguration as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { Asking } from '../records/asking.js';
import { RecordsInProject } from '../records/records-in-project.js';
import type { ConfigurationDeps } from './configuration-records.js';

/** @throws AppError `NOT_FOUND` */
export function makeDeleteConfiguration(deps: ConfigurationDeps) {
  return async function deleteConfiguration(
    { params }: { params: { configId: string } },
    { caller }: Asking,
  ): Promise<AnswerOf<typeof route>> {
    const deleted = await new RecordsInProject(deps.configurations, caller.projectId).delete(params.configId);
    if (!deleted) throw notFound('configuration not found');
    return { acknowledged: true, deletedCount: 1 };
  };
}
