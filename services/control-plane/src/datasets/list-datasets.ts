import type { DatasetResponse, ResponseOf, ListDatasetsQuery, listDatasets as route } from '@assay/contracts';
import { streamJson, type JsonStream } from '@assay/http';
import type { OperationContext } from '../shared/operation-context.js';
import { chunks } from '../shared/chunks.js';
import { toDatasetResponse, type Dataset } from './dataset-document.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

/** Datasets whose members are read concurrently. A list may have 100,000 members. */
const DATASETS_AT_A_TIME = 10;

/**
 * Lists the datasets of the project, newest first, filtered by id and exact name. An unknown id yields none.
 */
export function makeListDatasets(deps: DatasetDeps) {
  return function listDatasets(
    { query }: { query: ListDatasetsQuery },
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    return Promise.resolve(
      streamJson<ResponseOf<typeof route>>({ datasets: withMembers(datasets, matching(datasets, query)) }),
    );
  };
}

/** Reads the members of a few datasets at a time. A response contains all of them, so they are not paged. */
async function* withMembers(
  { members }: DatasetRepository,
  pages: AsyncIterable<readonly Dataset[]>,
): AsyncGenerator<DatasetResponse[]> {
  for await (const page of pages)
    for (const few of chunks(page, DATASETS_AT_A_TIME))
      yield Promise.all(few.map(async (dataset) => toDatasetResponse(dataset, await members.ids(dataset))));
}

async function* matching(
  { collection }: DatasetRepository,
  { dataset_id, name }: ListDatasetsQuery,
): AsyncGenerator<readonly Dataset[]> {
  if (dataset_id === undefined) {
    yield* collection.allPages({
      equals: name === undefined ? {} : { name },
      orderBy: 'created_at',
      descending: true,
    });
    return;
  }
  const dataset = await collection.get(dataset_id);
  if (dataset && (name === undefined || dataset.name === name)) yield [dataset];
}
