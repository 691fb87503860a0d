import type { ResponseOf, deleteDatapoint as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import { DatasetRepository, type DatapointDeps } from './dataset-repository.js';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';

/**
 * Deletes a datapoint and its memberships. The memberships are deleted first: if the process ends in between,
 * a retry of the request completes the deletion. @throws AppError `NOT_FOUND`
 */
export function makeDeleteDatapoint(deps: DatapointDeps) {
  return async function deleteDatapoint(
    { params }: { params: { datapoint_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const collection = new ProjectScopedCollection(deps.datapoints, caller.projectId);
    if (!(await collection.get(params.datapoint_id))) throw notFound('datapoint not found');
    await new DatasetRepository(deps, caller.projectId).members.removeEverywhere(params.datapoint_id);
    if (!(await collection.delete(params.datapoint_id))) throw notFound('datapoint not found');
    return { deleted: true };
  };
}
