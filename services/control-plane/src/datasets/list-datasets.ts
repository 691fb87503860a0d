import type { ResponseOf, ListDatasetsQuery, listDatasets as route } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { mapInBatches } from '../shared/map-in-batches.js';
import { toDatasetResponse, type Dataset } from './dataset-document.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

/** The datasets of the project, newest first, of this id and of exactly this name if they are given. An unknown id gives none. */
export function makeListDatasets(deps: DatasetDeps) {
  return async function listDatasets(
    { query }: { query: ListDatasetsQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    const found = await matching(datasets, query);
    const answer = async (dataset: Dataset) =>
      toDatasetResponse(dataset, await datasets.members.ids(dataset));
    return { datasets: await mapInBatches(found, answer) };
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
