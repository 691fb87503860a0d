import type { ResponseOf, DeleteDatasetByQuery, deleteDatasetByQuery as byQuery } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';
import { removed } from './remove-datapoint.js';

/** Deletes a dataset; its datapoints stay. The dataset goes before its list, which nobody finds without it. @throws AppError `NOT_FOUND` */
export function makeDeleteDataset(deps: DatasetDeps) {
  return async function deleteDataset(
    { params }: { params: { dataset_id: string } },
    { caller }: OperationContext,
  ): Promise<{ result: { id: string } }> {
    return { result: await deleted(new DatasetRepository(deps, caller.projectId), params.dataset_id) };
  };
}

/** Deletes the dataset that the query names or, with a datapoint, takes that out of it. @throws AppError `NOT_FOUND` */
export function makeDeleteDatasetByQuery(deps: DatasetDeps) {
  return async function deleteDatasetByQuery(
    { query }: { query: DeleteDatasetByQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof byQuery>> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    if (query.datapoint_id !== undefined)
      return removed(await datasets.unlink(query.dataset_id, query.datapoint_id));
    return { result: await deleted(datasets, query.dataset_id) };
  };
}

async function deleted({ collection, members }: DatasetRepository, id: string): Promise<{ id: string }> {
  const dataset = await collection.get(id);
  if (!dataset || !(await collection.delete(id))) throw notFound('dataset not found');
  await members.drop(dataset.list_id);
  return { id };
}
