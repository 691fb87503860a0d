import type {
  createDatapointBatch,
  CreateDatapointBatchRequest,
  createDataset,
  DatapointResponse,
  DatasetResponse,
  importDatapoints,
  listDatasetDatapoints,
  listDatasets,
  previewDatapointBatch,
  ResponseOf,
} from '@assay/contracts';
import { call, callExact } from './call.js';

export type Dataset = DatasetResponse;
export type Datapoint = DatapointResponse;
export type Batch = CreateDatapointBatchRequest;
export type BatchPreview = ResponseOf<typeof previewDatapointBatch>;
export type BatchResult = ResponseOf<typeof createDatapointBatch>;

const PATH = '/v1/datasets';
const pathOf = (datasetId: string) => `${PATH}/${encodeURIComponent(datasetId)}`;
const datapointPath = (datapointId: string) => `/v1/datapoints/${encodeURIComponent(datapointId)}`;

/** Datapoints of one page. */
const LIMIT = 50;

export const allDatasets = (project: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof listDatasets>>({ method: 'GET', path: PATH, project, signal });

/** Returns the dataset; undefined when there is none with this id. */
export async function readDataset(
  project: string,
  datasetId: string,
  signal?: AbortSignal,
): Promise<Dataset | null> {
  const query = { dataset_id: datasetId };
  const { datasets } = await call<ResponseOf<typeof listDatasets>>({
    ...{ method: 'GET', path: PATH, project, query, signal },
  });
  return datasets[0] ?? null;
}

export const addDataset = (project: string, body: { readonly name: string; readonly description?: string }) =>
  call<ResponseOf<typeof createDataset>>({ method: 'POST', path: PATH, project, body });

export const removeDataset = (project: string, datasetId: string) =>
  call<unknown>({ method: 'DELETE', path: pathOf(datasetId), project });

/** Returns a page of datapoints, with every digit of their integers. */
export const datapointsOf = (project: string, datasetId: string, cursor?: string, signal?: AbortSignal) =>
  callExact<ResponseOf<typeof listDatasetDatapoints>>({
    ...{ method: 'GET', path: `${pathOf(datasetId)}/datapoints`, project, signal },
    query: { limit: LIMIT, cursor },
  });

/** @param body the changed parts as JSON, which keeps the digits of integers as they were typed */
export const changeDatapoint = (project: string, datapointId: string, body: string) =>
  call<unknown>({ method: 'PUT', path: datapointPath(datapointId), project, body });

/** Removes the datapoint from the dataset. The datapoint itself stays. */
export const removeFromDataset = (project: string, datasetId: string, datapointId: string) =>
  call<unknown>({
    ...{ method: 'DELETE', path: `${pathOf(datasetId)}/datapoints/${encodeURIComponent(datapointId)}` },
    project,
  });

/** Adds datapoints with ids of the page: those that the dataset contains are unchanged. @param body as JSON, with every digit */
export const importRows = (project: string, datasetId: string, body: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof importDatapoints>>({
    ...{ method: 'PUT', path: `${pathOf(datasetId)}/datapoints`, project, body, signal },
  });

/** Returns what a batch would create, without creating it. */
export const previewBatch = (project: string, body: Batch, signal?: AbortSignal) =>
  callExact<BatchPreview>({ method: 'POST', path: '/v1/datapoints/batch/preview', project, body, signal });

export const createBatch = (project: string, body: Batch) =>
  call<BatchResult>({ method: 'POST', path: '/v1/datapoints/batch', project, body });
