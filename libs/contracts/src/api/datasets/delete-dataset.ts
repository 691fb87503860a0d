import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, text } from '../../schema/fields.js';
import { resourceId } from '../../schema/resource-fields.js';
import { datasetId, datasetPath } from './dataset.js';

const deletedDataset = () =>
  Type.Object({ id: datasetId() }, { description: 'The dataset that was deleted.' });

export const deleteDataset = defineRoute({
  operation: 'deleteDataset',
  method: 'DELETE',
  path: '/v1/datasets/{dataset_id}',
  aliases: ['/datasets/{dataset_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: 'Delete a dataset; its datapoints are kept',
  params: datasetPath,
  response: Type.Object({ result: deletedDataset() }),
});

const deleteByQuery = Type.Object({
  dataset_id: datasetId(),
  datapoint_id: Type.Optional(resourceId('Remove only this datapoint from the dataset.')),
});
export type DeleteDatasetByQuery = Static<typeof deleteByQuery>;

/**
 * Combines two former routes: removes the given datapoint from the dataset, or deletes the dataset if none is
 * given.
 */
export const deleteDatasetByQuery = defineRoute({
  operation: 'deleteDatasetByQuery',
  method: 'DELETE',
  path: '/v1/datasets',
  aliases: ['/datasets'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: 'Delete the dataset identified in the query, or remove a datapoint from it',
  successor: 'deleteDataset',
  query: deleteByQuery,
  response: Type.Object({
    result: Type.Optional(deletedDataset()),
    dereferenced: Type.Optional(flag('Whether the dataset contained the datapoint.', true)),
    message: Type.Optional(text('Description of the change.', 'datapoint removed from the dataset')),
  }),
});
