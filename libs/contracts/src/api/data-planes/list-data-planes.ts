import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { listOf } from '../../schema/fields.js';
import { dataPlaneResponse } from './data-plane.js';

export const listDataPlanes = defineRoute({
  operation: 'listDataPlanes',
  method: 'GET',
  path: '/v1/data-planes',
  owner: 'control-plane',
  access: 'admin',
  console: true,
  tag: 'Data planes',
  summary: 'List the data planes, including revoked ones, without their tokens',
  response: Type.Object({
    data_planes: listOf(dataPlaneResponse, 'The data planes, newest first, at most 1,000.'),
  }),
});
