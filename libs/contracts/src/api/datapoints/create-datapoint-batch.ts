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
  description: `Selection by event id: true includes, false excludes. At most ${MAX_NAMED_EVENTS} ids.`,
  examples: [{ '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e': true }] satisfies JsonObject[],
  maxProperties: MAX_NAMED_EVENTS,
  additionalProperties: { type: 'boolean' },
});

export const createDatapointBatchRequest = Type.Object(
  {
    events: Type.Optional(
      Type.Array(uuid('Id of an event.'), {
        description: 'Ids of events. Deprecated: use checkState.',
        examples: [['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e']],
        maxItems: MAX_NAMED_EVENTS,
      }),
    ),
    mapping: Type.Optional(
      Type.Object(
        {
          inputs: fields('Event fields to copy into the inputs.', ['inputs.question']),
          history: fields('Event fields whose messages form the history.', ['inputs.chat_history']),
          ground_truth: fields('Event fields to copy into the ground truth.', ['outputs.answer']),
        },
        {
          description:
            'Field mapping; default: inputs, inputs.chat_history, and feedback.ground_truth or else outputs.',
        },
      ),
    ),
    filters: Type.Optional(filters),
    dateRange: Type.Optional(dateRange),
    checkState: Type.Optional(checkState),
    selectAll: Type.Optional(flag('Whether to select all events that match filters and dateRange.', false)),
    dataset_id: Type.Optional(resourceId('Id of the dataset that the datapoints are added to.')),
  },
  {
    $id: 'CreateDatapointBatchRequest',
    description: 'Event selection and mapping.',
    examples: [{ checkState: { '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e': true } }],
  },
);
export type CreateDatapointBatchRequest = Static<typeof createDatapointBatchRequest>;

export const createDatapointBatch = defineRoute({
  operation: 'createDatapointBatch',
  permissions: ['events:read'],
  method: 'POST',
  path: '/v1/datapoints/batch',
  aliases: ['/datapoints/batch'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Datapoints',
  summary: 'Create a datapoint from each selected event, once, and add them to a dataset',
  body: createDatapointBatchRequest,
  response: Type.Object({
    inserted: success(),
    insertedIds: idList('Ids of the datapoints, in the order of the events, including existing ones.'),
    failed: Type.Optional(
      listOf(
        Type.Object({
          event_id: uuid('Id of the event.'),
          message: text('Reason for the failure.', 'there is no event with this id'),
        }),
        'Selected events from which no datapoint could be created; absent when there are none.',
      ),
    ),
    redacted: Type.Optional(
      flag('True when values were redacted before they left the data plane; absent otherwise.', true),
    ),
  }),
});
