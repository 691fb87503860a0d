import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import { idList, resourceId } from '../../schema/resource-fields.js';
import { sentDatapointProperties } from './datapoint.js';

export const createDatapointRequest = Type.Object(sentDatapointProperties, {
  $id: 'CreateDatapointRequest',
  description: 'The datapoint to create.',
});
export type CreateDatapointRequest = Static<typeof createDatapointRequest>;

export const createDatapoint = defineRoute({
  operation: 'createDatapoint',
  method: 'POST',
  path: '/v1/datapoints',
  aliases: ['/datapoints'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datapoints',
  summary: 'Create a datapoint and add it to datasets',
  limits: bodyLimitsOf('datapoint'),
  body: createDatapointRequest,
  response: Type.Object({
    inserted: success(),
    result: Type.Object(
      {
        insertedIds: idList('Id of the new datapoint.'),
        insertedId: resourceId('The same id, for older clients.'),
      },
      { description: 'What was created.' },
    ),
  }),
});
