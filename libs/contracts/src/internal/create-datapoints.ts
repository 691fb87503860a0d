import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { flag, openObject, text } from '../schema/fields.js';
import { objectList, objectOrNull } from '../schema/resource-fields.js';
import { actingKey } from './acting-key.js';
import { BODY_BYTES, MAX_CONCURRENT_BATCHES, MAX_ITEMS, projectId, readonlyList } from './fields.js';

/** A datapoint made from an event. Its id follows from the event, so storing it again adds nothing. */
const eventDatapoint = Type.Object(
  {
    id: text('Id of the datapoint.', '65c13dbbd65fb876b7886cdb', { minLength: 1 }),
    inputs: openObject('The inputs.', { question: 'q' }),
    history: objectList('Messages before the inputs.', []),
    ground_truth: objectOrNull('The reference value.', null),
    metadata: objectOrNull('Everything else.', null),
    linked_event: text('Id of the event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
  },
  { description: 'A datapoint.' },
);
export type WireDatapoint = Static<typeof eventDatapoint>;

export const createDatapoints = defineRoute({
  operation: 'createDatapoints',
  method: 'POST',
  path: '/internal/v1/datapoints',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary:
    'Store datapoints and add them to the end of a dataset; without datapoints, look whether it exists',
  limits: { maxBodyBytes: BODY_BYTES.batch, maxConcurrent: MAX_CONCURRENT_BATCHES },
  body: Type.Object({
    projectId: projectId(),
    datasetId: Type.Optional(text('Id of the dataset.', '65c13dbbd65fb876b7886cdb')),
    by: actingKey,
    datapoints: readonlyList(eventDatapoint, 'The datapoints, in order.', [], { maxItems: MAX_ITEMS }),
  }),
  response: Type.Object({
    created: flag('False, with nothing stored, when there is no such dataset.', true),
  }),
});
