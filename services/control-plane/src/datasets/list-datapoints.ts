import {
  type DatapointResponse,
  type ResponseOf,
  type ListDatapointsQuery,
  type listDatapoints as route,
  MAX_UNPAGED_DATAPOINTS,
} from '@assay/contracts';
import { validationError } from '@assay/errors';
import { streamJson, type JsonStream } from '@assay/http';
import type { Dataset } from './dataset-document.js';
import { DatasetRepository, type DatapointDeps } from './dataset-repository.js';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { Datapoint, DatapointFields } from './datapoint-document.js';
import { withLinkedDatasets } from './linked-datasets.js';

type Records = ProjectScopedCollection<DatapointFields>;

/**
 * Lists datapoints by id, of a dataset, or of the project, newest first. Unknown ids and names yield no
 * datapoints.
 * @throws AppError `VALIDATION_ERROR` if no limit is given and a response cannot contain all datapoints,
 * which are never truncated
 */
export function makeListDatapoints(deps: DatapointDeps) {
  return async function listDatapoints(
    { query }: { query: ListDatapointsQuery },
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const collection = new ProjectScopedCollection(deps.datapoints, caller.projectId);
    const datasets = new DatasetRepository(deps, caller.projectId);
    const pages = await matching(collection, datasets, query);
    return streamJson<ResponseOf<typeof route>>({ datapoints: linkedPages(datasets, pages) });
  };
}

async function* linkedPages(
  datasets: DatasetRepository,
  pages: AsyncIterable<readonly Datapoint[]>,
): AsyncGenerator<DatapointResponse[]> {
  for await (const page of pages) yield withLinkedDatasets(datasets, page);
}

async function matching(
  collection: Records,
  datasets: DatasetRepository,
  query: ListDatapointsQuery,
): Promise<AsyncIterable<readonly Datapoint[]>> {
  const { offset, limit } = pageOf(query);
  // Without a limit, the first page contains everything.
  if (query.limit === undefined && offset > 0) return collection.pagesByIds([]);
  const ofDataset = query.dataset_id !== undefined || query.dataset_name !== undefined;
  const dataset = ofDataset ? await datasetOf(datasets, query) : undefined;
  if (ofDataset && !dataset) return collection.pagesByIds([]);
  if (query.datapoint_ids)
    return collection.pagesByIds(
      (await membersAmong(datasets, dataset, query.datapoint_ids)).slice(offset, offset + limit),
    );
  if (dataset) {
    if (query.limit === undefined) checkCount(await datasets.members.count(dataset));
    return collection.pagesByIds(
      query.limit === undefined
        ? await datasets.members.ids(dataset)
        : await datasets.members.page(dataset, offset, limit),
    );
  }
  if (query.limit !== undefined)
    return collection.pages({ orderBy: 'created_at', descending: true, offset }, limit);
  checkCount(await collection.count());
  return collection.allPages({ orderBy: 'created_at', descending: true });
}

function pageOf({ page = 1, limit = MAX_UNPAGED_DATAPOINTS }: ListDatapointsQuery): {
  offset: number;
  limit: number;
} {
  return { offset: (page - 1) * limit, limit };
}

function checkCount(count: number): void {
  if (count <= MAX_UNPAGED_DATAPOINTS) return;
  throw validationError(
    `more than ${MAX_UNPAGED_DATAPOINTS} datapoints match: request pages with limit and page`,
  );
}

/** Returns the dataset that the query names by id, or else the newest one of the name. */
async function datasetOf(
  datasets: DatasetRepository,
  { dataset_id, dataset_name }: ListDatapointsQuery,
): Promise<Dataset | undefined> {
  if (dataset_id === undefined)
    return dataset_name === undefined ? undefined : datasets.newestNamed(dataset_name);
  const dataset = await datasets.collection.get(dataset_id);
  return dataset_name === undefined || dataset?.name === dataset_name ? dataset : undefined;
}

async function membersAmong(
  datasets: DatasetRepository,
  dataset: Dataset | undefined,
  ids: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(ids)];
  if (!dataset) return wanted;
  const members = await datasets.members.membersAmong(dataset, wanted);
  return wanted.filter((id) => members.has(id));
}
