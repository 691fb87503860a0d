import { defineRoute } from '../../route.js';
import { datasetMemberPath, dereferencedResponse } from './dataset.js';

const removal = {
  method: 'DELETE',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  params: datasetMemberPath,
  response: dereferencedResponse,
} as const;

export const removeDatapoint = defineRoute({
  ...removal,
  operation: 'removeDatapoint',
  path: '/v1/datasets/{dataset_id}/datapoints/{datapoint_id}',
  aliases: ['/datasets/{dataset_id}/datapoints/{datapoint_id}'],
  summary: 'Remove a datapoint from a dataset; the datapoint is kept',
});

export const removeDatapointByOldPath = defineRoute({
  ...removal,
  operation: 'removeDatapointByOldPath',
  path: '/v1/datasets/{dataset_id}/{datapoint_id}',
  aliases: ['/datasets/{dataset_id}/{datapoint_id}'],
  summary: 'Remove a datapoint from a dataset',
  successor: 'removeDatapoint',
});
