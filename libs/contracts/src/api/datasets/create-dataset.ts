import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import { datasetId, ignoredDatasetProperties, sentDatasetProperties } from './dataset.js';

export const createDatasetRequest = Type.Object(
  { ...sentDatasetProperties, ...ignoredDatasetProperties },
  { $id: 'CreateDatasetRequest', description: 'The dataset to create.' },
);
export type CreateDatasetRequest = Static<typeof createDatasetRequest>;

export const createDataset = defineRoute({
  operation: 'createDataset',
  method: 'POST',
  path: '/v1/datasets',
  aliases: ['/datasets'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: 'Create a dataset',
  body: createDatasetRequest,
  response: Type.Object({
    inserted: success(),
    result: Type.Object({ insertedId: datasetId() }, { description: 'What was created.' }),
  }),
});
