import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import {
  datasetId,
  datasetPath,
  datasetResult,
  ignoredDatasetProperties,
  sentDatasetProperties,
} from './dataset.js';

export const updateDatasetRequest = Type.Object(
  { ...sentDatasetProperties, ...ignoredDatasetProperties },
  {
    $id: 'UpdateDatasetRequest',
    description: 'Fields to replace; absent fields are unchanged.',
    additionalProperties: false,
    unknownFieldHints: { dataset_id: 'the dataset is named by the path' },
  },
);
export type UpdateDatasetRequest = Static<typeof updateDatasetRequest>;

export const updateDataset = defineRoute({
  operation: 'updateDataset',
  method: 'PUT',
  path: '/v1/datasets/{dataset_id}',
  aliases: ['/datasets/{dataset_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: 'Change a dataset, or replace its datapoints',
  params: datasetPath,
  body: updateDatasetRequest,
  response: datasetResult,
});

export const updateDatasetByBodyRequest = Type.Object(
  { dataset_id: datasetId(), ...sentDatasetProperties, ...ignoredDatasetProperties },
  { $id: 'UpdateDatasetByBodyRequest', description: 'Id of the dataset and the fields to replace.' },
);
export type UpdateDatasetByBodyRequest = Static<typeof updateDatasetByBodyRequest>;

export const updateDatasetByBody = defineRoute({
  operation: 'updateDatasetByBody',
  method: 'PUT',
  path: '/v1/datasets',
  aliases: ['/datasets'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: 'Change the dataset identified in the body',
  successor: 'updateDataset',
  body: updateDatasetByBodyRequest,
  response: datasetResult,
});
