import { makeAddDatapoints } from './add-datapoints.js';
import { makeCreateDataset } from './create-dataset.js';
import { makeDeleteDataset, makeDeleteDatasetByQuery } from './delete-dataset.js';
import { makeListDatasets } from './list-datasets.js';
import { makeRemoveDatapoint } from './remove-datapoint.js';
import { makeUpdateDataset, makeUpdateDatasetByBody } from './update-dataset.js';
import type { DatapointDeps } from './datapoint-deps.js';

/** The operations on datasets, by the names of their routes. */
export function datasetOperations(deps: DatapointDeps) {
  return {
    listDatasets: makeListDatasets(deps),
    createDataset: makeCreateDataset(deps),
    updateDataset: makeUpdateDataset(deps),
    updateDatasetByBody: makeUpdateDatasetByBody(deps),
    deleteDataset: makeDeleteDataset(deps),
    deleteDatasetByQuery: makeDeleteDatasetByQuery(deps),
    addDatapoints: makeAddDatapoints(deps),
    removeDatapoint: makeRemoveDatapoint(deps),
  };
}
