import type { DatasetResponse, ResponseOf, ListDatasetsQuery, listDatasets as route } from '@assay/contracts';
import { streamJson, type JsonStream } from '@assay/http';
import type { OperationContext } from '../shared/operation-context.js';
import { chunks } from '../shared/chunks.js';
import { toDatasetResponse, type Dataset } from './dataset-document.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

/** Datasets whose members are read concurrently. A list may have 100,000 members. */
const DATASETS_AT_A_TIME = 10;

/**
 * Lists the datasets of the project, newest first, filtered by id and exact name. An unknown id yields none. The
 * response to an id repeats the dataset as `testcases`, the name by which older clients read it.
 */
export function makeListDatasets(deps: DatasetDeps) {
  return async function listDatasets(
    { query }: { query: ListDatasetsQuery },
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const repository = new DatasetRepository(deps, caller.projectId);
    if (query.dataset_id === undefined)
      return streamJson<ResponseOf<typeof route>>({
        datasets: withMembers(repository, matching(repository, query)),
      });
    const found = await findById(repository, query.dataset_id, query.name);
    return streamJson<ResponseOf<typeof route>>(
      found ? { datasets: [found], testcases: [found] } : { datasets: [] },
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

function matching(
  { collection }: DatasetRepository,
  { name }: ListDatasetsQuery,
): AsyncIterable<readonly Dataset[]> {
  return collection.allPages({
    equals: name === undefined ? {} : { name },
    orderBy: 'created_at',
    descending: true,
  });
}

async function findById(
  { collection, members }: DatasetRepository,
  id: string,
  name: string | undefined,
): Promise<DatasetResponse | undefined> {
  const dataset = await collection.get(id);
  if (!dataset || (name !== undefined && dataset.name !== name)) return undefined;
  return toDatasetResponse(dataset, await members.ids(dataset));
}
