import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import {
  dataPlaneResponse,
  boundProjects,
  dataPlaneDescription,
  dataPlaneName,
  dataPlaneToken,
} from './data-plane.js';

export const createDataPlaneRequest = Type.Object(
  { name: dataPlaneName(), description: Type.Optional(dataPlaneDescription()), project_ids: boundProjects() },
  { $id: 'CreateDataPlaneRequest', description: 'The data plane to register.', additionalProperties: false },
);
export type CreateDataPlaneRequest = Static<typeof createDataPlaneRequest>;

/** Data plane with its new token. */
export const dataPlaneWithToken = Type.Object({ data_plane: dataPlaneResponse, token: dataPlaneToken() });

export const createDataPlane = defineRoute({
  operation: 'createDataPlane',
  method: 'POST',
  path: '/v1/data-planes',
  owner: 'control-plane',
  access: 'admin',
  tag: 'Data planes',
  summary: 'Register a data plane and return its token',
  body: createDataPlaneRequest,
  response: dataPlaneWithToken,
});
