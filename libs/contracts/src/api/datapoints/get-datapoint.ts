import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { listOf } from '../../schema/fields.js';
import { datapointResponse, datapointPath } from './datapoint.js';

export const getDatapoint = defineRoute({
  operation: 'getDatapoint',
  method: 'GET',
  path: '/v1/datapoints/{datapoint_id}',
  aliases: ['/datapoints/{datapoint_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datapoints',
  summary: 'Read a datapoint',
  params: datapointPath,
  response: Type.Object({ datapoint: listOf(datapointResponse, 'A list that contains the datapoint.') }),
});
