import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer } from '../../schema/fields.js';
import { dataPlaneWithToken } from './create-data-plane.js';
import { dataPlanePath } from './data-plane.js';

const WEEK_SECONDS = 604_800;

export const rotateDataPlaneTokenRequest = Type.Object(
  {
    keep_seconds: Type.Optional(
      integer('Seconds for which the previous token remains valid; 0 when absent.', 3600, {
        minimum: 0,
        maximum: WEEK_SECONDS,
      }),
    ),
  },
  {
    $id: 'RotateDataPlaneTokenRequest',
    description: 'How to rotate the token.',
    additionalProperties: false,
  },
);
export type RotateDataPlaneTokenRequest = Static<typeof rotateDataPlaneTokenRequest>;

export const rotateDataPlaneToken = defineRoute({
  operation: 'rotateDataPlaneToken',
  method: 'POST',
  path: '/v1/data-planes/{data_plane_id}/rotate',
  owner: 'control-plane',
  access: 'admin',
  tag: 'Data planes',
  summary: 'Rotate the token of a data plane, optionally with an overlap in which both tokens are valid',
  params: dataPlanePath,
  body: rotateDataPlaneTokenRequest,
  response: dataPlaneWithToken,
});
