import type { ResponseOf, ListDatasetsQuery, listDatasets as route } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { mapInBatches } from '../shared/map-in-batches.js';
import { toDatasetResponse, type Dataset } from './dataset-document.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

/**
 * Lists the datasets of the project, newest first, filtered by id and exact name. An unknown id yields none.
 */
export function makeListDatasets(deps: DatasetDeps) {
  return async function listDatasets(
    { query }: { query: ListDatasetsQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    const found = await matching(datasets, query);
    const toResponse = async (dataset: Dataset) =>
      toDatasetResponse(dataset, await datasets.members.ids(dataset));
    return { datasets: await mapInBatches(found, toResponse) };
  };
}

async function matching(
  { collection }: DatasetRepository,
  { dataset_id, name }: ListDatasetsQuery,
): Promise<Dataset[]> {
  if (dataset_id === undefined) {
    return collection.all({
      equals: name === undefined ? {} : { name },
      orderBy: 'created_at',
      descending: true,
    });
  }
  const dataset = await collection.get(dataset_id);
  return dataset && (name === undefined || dataset.name === name) ? [dataset] : [];
}
