import {
  createDataPlane,
  endDataPlane,
  listDataPlanes,
  rotateDataPlaneToken,
  updateDataPlane,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import { makeCreateDataPlane } from './create-data-plane.js';
import type { DataPlaneDeps } from './data-plane-deps.js';
import { makeEndDataPlane } from './end-data-plane.js';
import { makeListDataPlanes } from './list-data-planes.js';
import { makeRotateDataPlaneToken } from './rotate-data-plane-token.js';
import { makeUpdateDataPlane } from './update-data-plane.js';

export function dataPlaneRoutes(deps: DataPlaneDeps): Binding[] {
  return [
    bind(listDataPlanes, makeListDataPlanes(deps)),
    bind(createDataPlane, makeCreateDataPlane(deps)),
    bind(updateDataPlane, makeUpdateDataPlane(deps)),
    bind(rotateDataPlaneToken, makeRotateDataPlaneToken(deps)),
    bind(endDataPlane, makeEndDataPlane(deps)),
  ];
}
