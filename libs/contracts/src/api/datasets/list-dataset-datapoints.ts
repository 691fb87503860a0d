import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, listOf } from '../../schema/fields.js';
import { datapointResponse } from '../datapoints/datapoint.js';
import { cursorText, nextCursor } from '../events/page-events.js';
import { datasetPath } from './dataset.js';

/** Maximum and default number of datapoints per page. */
export const MAX_PAGE_DATAPOINTS = 500;
export const DEFAULT_PAGE_DATAPOINTS = 100;

const listDatasetDatapointsQuery = Type.Object({
  limit: Type.Optional(
    integer(`Datapoints per page; ${DEFAULT_PAGE_DATAPOINTS} when absent.`, 100, {
      minimum: 1,
      maximum: MAX_PAGE_DATAPOINTS,
    }),
  ),
  cursor: Type.Optional(cursorText('The next_cursor of the previous page.')),
});
export type ListDatasetDatapointsQuery = Static<typeof listDatasetDatapointsQuery>;

export const listDatasetDatapoints = defineRoute({
  operation: 'listDatasetDatapoints',
  method: 'GET',
  path: '/v1/datasets/{dataset_id}/datapoints',
  aliases: ['/datasets/{dataset_id}/datapoints'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: 'Read the datapoints of a dataset page by page',
  params: datasetPath,
  query: listDatasetDatapointsQuery,
  permissions: ['datapoints:read'],
  response: Type.Object({
    datapoints: listOf(
      datapointResponse,
      'The datapoints in the order of the dataset, without deleted ones.',
    ),
    total: integer('Number of datapoints of the dataset.', 120, { minimum: 0 }),
    next_cursor: nextCursor(),
  }),
});
