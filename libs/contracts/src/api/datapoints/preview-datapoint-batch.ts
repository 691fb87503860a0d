import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { choice, integer, listOf, text, uuid } from '../../schema/fields.js';
import { createDatapointBatchRequest } from './create-datapoint-batch.js';
import { datapointResponse } from './datapoint.js';

/** Datapoints of a preview. */
export const PREVIEWED_DATAPOINTS = 5;

/** Parts of a datapoint that a mapping fills. */
export const MAPPED_PARTS = ['inputs', 'history', 'ground_truth'] as const;
export type MappedPart = (typeof MAPPED_PARTS)[number];

const { inputs, history, ground_truth } = datapointResponse.properties;
const count = (description: string) => integer(description, 12, { minimum: 0 });

export const previewDatapointBatch = defineRoute({
  operation: 'previewDatapointBatch',
  readOnly: true,
  permissions: ['events:read'],
  method: 'POST',
  path: '/v1/datapoints/batch/preview',
  aliases: ['/datapoints/batch/preview'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Datapoints',
  summary: 'Show what a batch would create, without creating it',
  body: createDatapointBatchRequest,
  response: Type.Object({
    datapoints: listOf(
      Type.Object(
        { event_id: uuid('Id of the event.'), inputs, history, ground_truth },
        { description: 'The content of a datapoint, after redaction.' },
      ),
      `Datapoints of the first ${PREVIEWED_DATAPOINTS} events.`,
    ),
    failed: listOf(
      Type.Object(
        {
          event_id: uuid('Id of the event.'),
          message: text('Reason for the failure.', 'there is no event with this id'),
        },
        { description: 'An event from which no datapoint can be created.' },
      ),
      'Events of the sample from which no datapoint can be created.',
    ),
    total: count('Number of selected events.'),
    sampled: count('Number of events that coverage is about: the first ones, at most 250.'),
    coverage: listOf(
      Type.Object(
        {
          part: choice<MappedPart>(MAPPED_PARTS, 'Part of the datapoint.', 'inputs'),
          field: text('Field of the events.', 'inputs.question'),
          found: count('Number of sampled events that have the field.'),
        },
        { description: 'How many events have a mapped field.' },
      ),
      'One entry for each field of the mapping, or of the default mapping.',
    ),
  }),
});
