import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import {
  dataPlaneResponse,
  boundProjects,
  dataPlaneDescription,
  dataPlaneName,
  dataPlanePath,
} from './data-plane.js';

export const updateDataPlaneRequest = Type.Object(
  {
    name: Type.Optional(dataPlaneName()),
    description: Type.Optional(dataPlaneDescription()),
    project_ids: Type.Optional(boundProjects()),
  },
  {
    $id: 'UpdateDataPlaneRequest',
    description: 'Fields to set; absent fields are unchanged.',
    additionalProperties: false,
  },
);
export type UpdateDataPlaneRequest = Static<typeof updateDataPlaneRequest>;

export const updateDataPlane = defineRoute({
  operation: 'updateDataPlane',
  method: 'PUT',
  path: '/v1/data-planes/{data_plane_id}',
  owner: 'control-plane',
  access: 'admin',
  tag: 'Data planes',
  summary: 'Change a data plane, or the projects for which it may act; effective with its next call',
  params: dataPlanePath,
  body: updateDataPlaneRequest,
  response: Type.Object({ data_plane: dataPlaneResponse }),
});
