import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success, textList } from '../../schema/fields.js';
import { idList, objectList } from '../../schema/resource-fields.js';
import { datasetPath } from './dataset.js';

const keys = (description: string, example: string[]) => Type.Optional(textList(description, example));

export const addDatapointsRequest = Type.Object(
  {
    data: objectList(
      'Objects to make datapoints of.',
      [{ question: 'Capital of France?', answer: 'Paris' }],
      {
        minItems: 1,
        maxItems: 10_000,
      },
    ),
    mapping: Type.Object(
      {
        inputs: keys('Keys that go to the inputs.', ['question']),
        history: keys('Keys whose lists of messages make the history.', []),
        ground_truth: keys('Keys that go to the ground truth.', ['answer']),
      },
      { description: 'Which key goes where; keys named nowhere go to the metadata.' },
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
  tag: 'Datasets',
  summary: 'Make datapoints of objects, and add them to the dataset',
  params: datasetPath,
  body: addDatapointsRequest,
  response: Type.Object({
    inserted: success(),
    datapoint_ids: idList('Ids of the new datapoints, in the order of the objects.'),
  }),
});
