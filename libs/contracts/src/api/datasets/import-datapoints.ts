import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer } from '../../schema/fields.js';
import { sentDatapointProperties } from '../datapoints/datapoint.js';
import { datasetPath } from './dataset.js';

/** Maximum number of datapoints in one request. */
export const MAX_IMPORTED_DATAPOINTS = 1_000;

const { inputs, history, ground_truth, metadata } = sentDatapointProperties;

const importedDatapoint = Type.Object(
  {
    id: Type.String({
      description: 'Id that the client derives from the source, 24 hexadecimal digits.',
      examples: ['65c13dbbd65fb876b7886cdb'],
      pattern: '^[0-9a-f]{24}$',
    }),
    ...{ inputs, history, ground_truth, metadata },
  },
  { description: 'A datapoint with its id.', additionalProperties: false },
);

export const importDatapointsRequest = Type.Object(
  {
    datapoints: Type.Array(importedDatapoint, {
      description: 'The datapoints, in the order of the dataset.',
      examples: [[{ id: '65c13dbbd65fb876b7886cdb', inputs: { question: 'Capital of France?' } }]],
      minItems: 1,
      maxItems: MAX_IMPORTED_DATAPOINTS,
    }),
  },
  { $id: 'ImportDatapointsRequest', description: 'Datapoints to add.', additionalProperties: false },
);
export type ImportDatapointsRequest = Static<typeof importDatapointsRequest>;

export const importDatapoints = defineRoute({
  operation: 'importDatapoints',
  method: 'PUT',
  path: '/v1/datasets/{dataset_id}/datapoints',
  aliases: ['/datasets/{dataset_id}/datapoints'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: 'Add datapoints with ids of the client; those that the dataset contains are unchanged',
  params: datasetPath,
  body: importDatapointsRequest,
  response: Type.Object({
    added: integer('Datapoints that were added to the dataset.', 1, { minimum: 0 }),
    present: integer('Datapoints that the dataset contained before.', 0, { minimum: 0 }),
  }),
});
