import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, listOf, text } from '../../schema/fields.js';
import { resourceId } from '../../schema/resource-fields.js';
import { datasetResponse } from './dataset.js';

const listDatasetsQuery = Type.Object({
  dataset_id: Type.Optional(resourceId('Only the dataset with this id.')),
  name: Type.Optional(text('Only datasets with exactly this name.', 'golden questions', { maxLength: 200 })),
  include_datapoints: Type.Optional(
    flag(
      'Accepted from older clients; has no effect, because the ids of the datapoints are always listed.',
      true,
    ),
  ),
});
export type ListDatasetsQuery = Static<typeof listDatasetsQuery>;

export const listDatasets = defineRoute({
  operation: 'listDatasets',
  method: 'GET',
  path: '/v1/datasets',
  aliases: ['/datasets'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: 'List datasets',
  query: listDatasetsQuery,
  response: Type.Object({
    datasets: listOf(datasetResponse, 'The datasets, newest first.'),
    testcases: Type.Optional(
      listOf(
        Type.Object(datasetResponse.properties),
        'The dataset of `dataset_id` again, under the name that older clients read.',
      ),
    ),
  }),
});
