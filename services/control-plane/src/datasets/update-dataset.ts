import type { DatasetResponse, UpdateDatasetByBodyRequest, UpdateDatasetRequest } from '@assay/contracts';
import { notFound } from '@assay/errors';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { newId } from '../shared/new-id.js';
import { toDatasetResponse, type Dataset } from './dataset-document.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

/**
 * Updates a dataset. Absent fields are unchanged; `datapoints` replaces all members. @throws AppError
 * `NOT_FOUND`, `CONFLICT`
 */
export function makeUpdateDataset(deps: DatasetDeps) {
  return async function updateDataset(
    { params, body }: { params: { dataset_id: string }; body: UpdateDatasetRequest },
    { caller }: OperationContext,
  ): Promise<{ result: DatasetResponse }> {
    return { result: await update(deps, caller.projectId, params.dataset_id, body) };
  };
}

/** As {@link makeUpdateDataset}, with the dataset's id in the body. */
export function makeUpdateDatasetByBody(deps: DatasetDeps) {
  return async function updateDatasetByBody(
    { body }: { body: UpdateDatasetByBodyRequest },
    { caller }: OperationContext,
  ): Promise<{ result: DatasetResponse }> {
    return { result: await update(deps, caller.projectId, body.dataset_id, body) };
  };
}

async function update(
  deps: DatasetDeps,
  projectId: string,
  id: string,
  body: UpdateDatasetRequest,
): Promise<DatasetResponse> {
  const datasets = new DatasetRepository(deps, projectId);
  const { collection, members } = datasets;
  const before = await datasets.getExisting(id);
  const { datapoints } = body;
  const withFields = (dataset: Dataset) => changedDataset(dataset, body, deps.now());
  if (datapoints === undefined) {
    const changed = await collection.update(id, withFields);
    if (!changed) throw notFound('dataset not found');
    return toDatasetResponse(changed, await members.ids(changed));
  }
  const list = { list_id: await newList(datasets, before, datapoints), datapoints };
  const { changed, replaced } = await datasets.replaceList(id, list, withFields);
  await members.drop(replaced);
  return toDatasetResponse(changed, await members.ids(changed));
}

/**
 * Writes the members under a new list id. Setting that id in the dataset then replaces all members
 * atomically.
 */
async function newList(
  { members }: DatasetRepository,
  { id }: Dataset,
  datapoints: readonly string[],
): Promise<string> {
  const list_id = newId();
  await members.add({ id, list_id }, datapoints);
  return list_id;
}

function changedDataset(dataset: Dataset, { name, description }: UpdateDatasetRequest, now: Date): Dataset {
  const content = {
    name: name ?? dataset.name,
    description: description === undefined ? dataset.description : (description ?? ''),
  };
  return {
    ...dataset,
    ...withinSize('dataset', content, dataset),
    updated_at: now.toISOString(),
  };
}
