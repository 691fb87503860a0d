import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { integer, success } from '../../schema/fields.js';
import { datapointPath, sentDatapointProperties } from './datapoint.js';

export const updateDatapointRequest = Type.Object(sentDatapointProperties, {
  $id: 'UpdateDatapointRequest',
  description: 'Fields to replace; absent fields are unchanged.',
});
export type UpdateDatapointRequest = Static<typeof updateDatapointRequest>;

export const updateDatapoint = defineRoute({
  operation: 'updateDatapoint',
  method: 'PUT',
  path: '/v1/datapoints/{datapoint_id}',
  aliases: ['/datapoints/{datapoint_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datapoints',
  summary: 'Change a datapoint',
  params: datapointPath,
  limits: bodyLimitsOf('datapoint'),
  body: updateDatapointRequest,
  response: Type.Object({
    updated: success(),
    result: Type.Object(
      { modifiedCount: integer('Number of changed datapoints.', 1) },
      { description: 'What was changed.' },
    ),
  }),
});
