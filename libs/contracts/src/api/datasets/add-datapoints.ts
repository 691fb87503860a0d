import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success, textList } from '../../schema/fields.js';
import { idList, objectList } from '../../schema/resource-fields.js';
import { datasetPath } from './dataset.js';

const keys = (description: string, example: string[]) => Type.Optional(textList(description, example));

export const addDatapointsRequest = Type.Object(
  {
    data: objectList(
      'Objects to create datapoints from.',
      [{ question: 'Capital of France?', answer: 'Paris' }],
      {
        minItems: 1,
        maxItems: 10_000,
      },
    ),
    mapping: Type.Object(
      {
        inputs: keys('Keys to copy into the inputs.', ['question']),
        history: keys('Keys whose messages form the history.', []),
        ground_truth: keys('Keys to copy into the ground truth.', ['answer']),
      },
      { description: 'Key mapping; unmapped keys are stored in the metadata.' },
    ),
  },
  { $id: 'AddDatapointsRequest', description: 'Datapoints to create in the dataset.' },
);
export type AddDatapointsRequest = Static<typeof addDatapointsRequest>;

export const addDatapoints = defineRoute({
  operation: 'addDatapoints',
  method: 'POST',
  path: '/v1/datasets/{dataset_id}/datapoints',
  aliases: ['/datasets/{dataset_id}/datapoints'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: 'Create datapoints from objects and add them to the dataset',
  params: datasetPath,
  body: addDatapointsRequest,
  response: Type.Object({
    inserted: success(),
    datapoint_ids: idList('Ids of the new datapoints, in the order of the objects.'),
  }),
});
