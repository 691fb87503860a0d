import {
  addDatapoints,
  createDatapoint,
  createDataset,
  deleteDatapoint,
  deleteDataset,
  deleteDatasetByQuery,
  getDatapoint,
  getDataset,
  importDatapoints,
  listDatapoints,
  listDatasetDatapoints,
  listDatasetVersions,
  listDatasets,
  removeDatapoint,
  removeDatapointByOldPath,
  updateDatapoint,
  updateDataset,
  updateDatasetByBody,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { BindAudited } from '../audit/bind-audited.js';
import { makeAddDatapoints } from './add-datapoints.js';
import { makeCreateDatapoint } from './create-datapoint.js';
import { makeCreateDataset } from './create-dataset.js';
import type { DatapointDeps } from './dataset-repository.js';
import { makeDeleteDatapoint } from './delete-datapoint.js';
import { makeDeleteDataset, makeDeleteDatasetByQuery } from './delete-dataset.js';
import { makeGetDatapoint } from './get-datapoint.js';
import { makeGetDataset } from './get-dataset.js';
import { makeImportDatapoints } from './import-datapoints.js';
import { makeListDatasetDatapoints } from './list-dataset-datapoints.js';
import { makeListDatasetVersions } from './list-dataset-versions.js';
import { makeListDatapoints } from './list-datapoints.js';
import { makeListDatasets } from './list-datasets.js';
import { makeRemoveDatapoint } from './remove-datapoint.js';
import { makeUpdateDatapoint } from './update-datapoint.js';
import { makeUpdateDataset, makeUpdateDatasetByBody } from './update-dataset.js';

type Deps = DatapointDeps & { readonly bindAudited: BindAudited };

/** Binds the operations on datasets and datapoints. */
export function datasetRoutes(deps: Deps): Binding[] {
  return [...datapointBindings(deps), ...datasetBindings(deps)];
}

function datapointBindings(deps: Deps): Binding[] {
  const { bindAudited } = deps;
  return [
    bind(listDatapoints, makeListDatapoints(deps)),
    bindAudited(createDatapoint, makeCreateDatapoint(deps), 'datapoint.created', (_, { result }) =>
      result.insertedIds.join(','),
    ),
    bind(getDatapoint, makeGetDatapoint(deps)),
    bindAudited(
      updateDatapoint,
      makeUpdateDatapoint(deps),
      'datapoint.changed',
      ({ params }) => params.datapoint_id,
    ),
    bindAudited(
      deleteDatapoint,
      makeDeleteDatapoint(deps),
      'datapoint.deleted',
      ({ params }) => params.datapoint_id,
    ),
  ];
}

function datasetBindings(deps: Deps): Binding[] {
  const { bindAudited } = deps;
  return [
    bind(listDatasets, makeListDatasets(deps)),
    bind(getDataset, makeGetDataset(deps)),
    bind(listDatasetDatapoints, makeListDatasetDatapoints(deps)),
    bind(listDatasetVersions, makeListDatasetVersions(deps)),
    bindAudited(
      createDataset,
      makeCreateDataset(deps),
      'dataset.created',
      (_, { result }) => result.insertedId,
    ),
    bindAudited(
      updateDatasetByBody,
      makeUpdateDatasetByBody(deps),
      'dataset.changed',
      ({ body }) => body.dataset_id,
    ),
    bindAudited(
      deleteDatasetByQuery,
      makeDeleteDatasetByQuery(deps),
      ({ query }) => (query.datapoint_id === undefined ? 'dataset.deleted' : 'dataset.changed'),
      ({ query }) => query.dataset_id,
    ),
    bindAudited(updateDataset, makeUpdateDataset(deps), 'dataset.changed', ({ params }) => params.dataset_id),
    bindAudited(deleteDataset, makeDeleteDataset(deps), 'dataset.deleted', ({ params }) => params.dataset_id),
    bindAudited(addDatapoints, makeAddDatapoints(deps), 'dataset.changed', ({ params }) => params.dataset_id),
    bindAudited(
      importDatapoints,
      makeImportDatapoints(deps),
      'dataset.changed',
      ({ params }) => params.dataset_id,
    ),
    bindAudited(
      removeDatapoint,
      makeRemoveDatapoint(deps),
      'dataset.changed',
      ({ params }) => params.dataset_id,
    ),
    bindAudited(
      removeDatapointByOldPath,
      makeRemoveDatapoint(deps),
      'dataset.changed',
      ({ params }) => params.dataset_id,
    ),
  ];
}
