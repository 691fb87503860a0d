import type { ResponseOf, deleteDatapoint as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import { undefinedIfNotFound } from '../shared/undefined-if-not-found.js';
import { DatasetRepository, type DatapointDeps } from './dataset-repository.js';
import { linkedDatasets } from './linked-datasets.js';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';

/**
 * Deletes a datapoint and its memberships. The memberships are deleted first, with a version of each dataset: if the process
 * ends in between, a retry of the request completes the deletion. @throws AppError `NOT_FOUND`
 */
export function makeDeleteDatapoint(deps: DatapointDeps) {
  return async function deleteDatapoint(
    { params }: { params: { datapoint_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const collection = new ProjectScopedCollection(deps.datapoints, caller.projectId);
    if (!(await collection.get(params.datapoint_id))) throw notFound('datapoint not found');
    const datasets = new DatasetRepository(deps, caller.projectId);
    const { datapoint_id: id } = params;
    for (const dataset of (await linkedDatasets(datasets, [id]))(id))
      await undefinedIfNotFound(() => datasets.unlink(dataset, id));
    await datasets.members.removeEverywhere(id);
    if (!(await collection.delete(id))) throw notFound('datapoint not found');
    return { deleted: true };
  };
}
