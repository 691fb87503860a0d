import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { dataPlaneResponse, dataPlanePath } from './data-plane.js';

export const endDataPlane = defineRoute({
  operation: 'endDataPlane',
  method: 'DELETE',
  path: '/v1/data-planes/{data_plane_id}',
  owner: 'control-plane',
  access: 'admin',
  tag: 'Data planes',
  summary: 'Revoke a data plane and its token; its record is kept',
  params: dataPlanePath,
  response: Type.Object({ data_plane: dataPlaneResponse }),
});
