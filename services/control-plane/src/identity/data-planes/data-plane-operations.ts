import { makeCreateDataPlane } from './create-data-plane.js';
import type { DataPlaneDeps } from './data-plane-deps.js';
import { makeEndDataPlane } from './end-data-plane.js';
import { makeListDataPlanes } from './list-data-planes.js';
import { makeRotateDataPlaneToken } from './rotate-data-plane-token.js';
import { makeUpdateDataPlane } from './update-data-plane.js';

/** The operations on data planes, by the names of their routes. */
export function dataPlaneOperations(deps: DataPlaneDeps) {
  return {
    createDataPlane: makeCreateDataPlane(deps),
    listDataPlanes: makeListDataPlanes(deps),
    updateDataPlane: makeUpdateDataPlane(deps),
    rotateDataPlaneToken: makeRotateDataPlaneToken(deps),
    endDataPlane: makeEndDataPlane(deps),
  };
}
