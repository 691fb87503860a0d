import type { ResponseOf, DeleteDatasetByQuery, deleteDatasetByQuery as byQuery } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';
import { toRemovalResponse } from './remove-datapoint.js';

/**
 * Deletes a dataset, but not its datapoints. The dataset is deleted before its members, which are unreachable
 * without it. @throws AppError `NOT_FOUND`
 */
export function makeDeleteDataset(deps: DatasetDeps) {
  return async function deleteDataset(
    { params }: { params: { dataset_id: string } },
    { caller }: OperationContext,
  ): Promise<{ result: { id: string } }> {
    return {
      result: await deleteWithMembers(new DatasetRepository(deps, caller.projectId), params.dataset_id),
    };
  };
}

/**
 * Deletes the dataset in the query, or only removes a datapoint from it if the query names one. @throws
 * AppError `NOT_FOUND`
 */
export function makeDeleteDatasetByQuery(deps: DatasetDeps) {
  return async function deleteDatasetByQuery(
    { query }: { query: DeleteDatasetByQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof byQuery>> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    if (query.datapoint_id !== undefined)
      return toRemovalResponse(await datasets.unlink(query.dataset_id, query.datapoint_id));
    return { result: await deleteWithMembers(datasets, query.dataset_id) };
  };
}

async function deleteWithMembers(
  { collection, members, versions }: DatasetRepository,
  id: string,
): Promise<{ id: string }> {
  const dataset = await collection.get(id);
  if (!dataset || !(await collection.delete(id))) throw notFound('dataset not found');
  await members.drop(dataset.list_id);
  await versions.drop(id);
  return { id };
}
