import { defineRoute } from '../../route.js';
import { datasetPath, datasetResponse } from './dataset.js';

export const getDataset = defineRoute({
  operation: 'getDataset',
  method: 'GET',
  path: '/v1/datasets/{dataset_id}',
  aliases: ['/datasets/{dataset_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: 'Read a dataset with the ids of its datapoints',
  params: datasetPath,
  response: datasetResponse,
});
