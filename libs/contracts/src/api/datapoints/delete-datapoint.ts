import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import { datapointPath } from './datapoint.js';

export const deleteDatapoint = defineRoute({
  operation: 'deleteDatapoint',
  method: 'DELETE',
  path: '/v1/datapoints/{datapoint_id}',
  aliases: ['/datapoints/{datapoint_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datapoints',
  summary: 'Delete a datapoint and remove it from every dataset',
  params: datapointPath,
  response: Type.Object({ deleted: success() }),
});
