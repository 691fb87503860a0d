import { Type, type Static } from '@sinclair/typebox';
import type { JsonObject } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { flag, listOf, success, text, uuid } from '../../schema/fields.js';
import { idList, resourceId } from '../../schema/resource-fields.js';
import { dateRange } from '../events/date-range.js';
import { filterProperties, type WireFilter } from '../events/filter.js';

/** Maximum number of events in one request. */
export const MAX_NAMED_EVENTS = 10_000;
/** Maximum number of datapoints that one request creates. */
export const MAX_BATCH_DATAPOINTS = 100_000;

const MAX_FILTERS = 50;

const fields = (description: string, example: string[]) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
      description,
      examples: [example],
      minItems: 0,
      maxItems: 100,
    }),
  );

const filter = Type.Object(filterProperties, {
  description: 'One condition.',
  examples: [{ field: 'event_type', value: 'model' }],
});

/** Filters in a request: a list, one filter, or an object with the list under `filterArray`. */
export type WireFilters = WireFilter[] | (Partial<WireFilter> & { filterArray?: WireFilter[] });

const filters = Type.Unsafe<WireFilters>({
  type: ['array', 'object'],
  description:
    'Conditions for selectAll; all must hold. A list, one condition, or an object with the list as filterArray.',
  examples: [[{ field: 'event_type', operator: 'is', value: 'model' }]],
  items: filter,
  maxItems: MAX_FILTERS,
  properties: {
    ...filterProperties,
    filterArray: Type.Array(filter, {
      description: 'Conditions; all must hold.',
      examples: [[{ field: 'event_type', operator: 'is', value: 'model' }]],
      maxItems: MAX_FILTERS,
    }),
  },
});

const checkState = Type.Unsafe<Record<string, boolean>>({
  type: 'object',
  description: `Which events are chosen, by id: true takes one, false leaves it out. At most ${MAX_NAMED_EVENTS}.`,
  examples: [{ '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e': true }] satisfies JsonObject[],
  maxProperties: MAX_NAMED_EVENTS,
  additionalProperties: { type: 'boolean' },
});

export const createDatapointBatchRequest = Type.Object(
  {
    events: Type.Optional(
      Type.Array(uuid('Id of an event.'), {
        description: 'Ids of events. Deprecated: checkState says the same.',
        examples: [['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e']],
        maxItems: MAX_NAMED_EVENTS,
      }),
    ),
    mapping: Type.Optional(
      Type.Object(
        {
          inputs: fields('Fields of the events that go to the inputs.', ['inputs.question']),
          history: fields('Fields whose lists of messages make the history.', ['inputs.chat_history']),
          ground_truth: fields('Fields that go to the ground truth.', ['outputs.answer']),
        },
        {
          description:
            'Which field goes where; without any: inputs, inputs.chat_history, and feedback.ground_truth or else outputs.',
        },
      ),
    ),
    filters: Type.Optional(filters),
    dateRange: Type.Optional(dateRange),
    checkState: Type.Optional(checkState),
    selectAll: Type.Optional(flag('Whether all events are taken that match filters and dateRange.', false)),
    dataset_id: Type.Optional(resourceId('Id of the dataset that the datapoints are added to.')),
  },
  {
    $id: 'CreateDatapointBatchRequest',
    description: 'Which events to make datapoints of, and how.',
    examples: [{ checkState: { '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e': true } }],
  },
);
export type CreateDatapointBatchRequest = Static<typeof createDatapointBatchRequest>;

export const createDatapointBatch = defineRoute({
  operation: 'createDatapointBatch',
  method: 'POST',
  path: '/v1/datapoints/batch',
  aliases: ['/datapoints/batch'],
  owner: 'data-plane',
  access: 'project',
  tag: 'Datapoints',
  summary: 'Make a datapoint of each chosen event, once, and add them to a dataset',
  body: createDatapointBatchRequest,
  response: Type.Object({
    inserted: success(),
    insertedIds: idList(
      'Ids of the datapoints, in the order of the events; those that were made before are among them.',
    ),
    failed: Type.Optional(
      listOf(
        Type.Object({
          event_id: uuid('Id of the event.'),
          message: text('Why there is no datapoint of it.', 'there is no event with this id'),
        }),
        'Chosen events that no datapoint could be made of; absent when there are none.',
      ),
    ),
    redacted: Type.Optional(
      flag('True when values were emptied before they left the data plane; absent otherwise.', true),
    ),
  }),
});
