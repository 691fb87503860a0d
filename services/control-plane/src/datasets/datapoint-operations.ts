import { makeCreateDatapoint } from './create-datapoint.js';
import { makeDeleteDatapoint } from './delete-datapoint.js';
import { makeGetDatapoint } from './get-datapoint.js';
import { makeListDatapoints } from './list-datapoints.js';
import { makeUpdateDatapoint } from './update-datapoint.js';
import type { DatapointDeps } from './datapoint-deps.js';

/** The operations on datapoints, by the names of their routes. */
export function datapointOperations(deps: DatapointDeps) {
  return {
    listDatapoints: makeListDatapoints(deps),
    createDatapoint: makeCreateDatapoint(deps),
    getDatapoint: makeGetDatapoint(deps),
    updateDatapoint: makeUpdateDatapoint(deps),
    deleteDatapoint: makeDeleteDatapoint(deps),
  };
}
