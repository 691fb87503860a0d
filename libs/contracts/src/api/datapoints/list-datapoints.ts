import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, listOf } from '../../schema/fields.js';
import { idList, resourceId } from '../../schema/resource-fields.js';
import { datapointResponse, datasetNameFilter, MAX_UNPAGED_DATAPOINTS } from './datapoint.js';

const listDatapointsQuery = Type.Object({
  datapoint_ids: Type.Optional(
    idList('Only the datapoints with these ids, in this order.', ['65c13dbbd65fb876b7886cdb'], 1_000),
  ),
  dataset_name: Type.Optional(datasetNameFilter()),
  dataset_id: Type.Optional(resourceId('Only datapoints of this dataset.')),
  limit: Type.Optional(
    integer(`Datapoints per page; absent: all, up to ${MAX_UNPAGED_DATAPOINTS}.`, 100, {
      minimum: 1,
      maximum: 1_000,
    }),
  ),
  page: Type.Optional(integer('Page number, starting at 1.', 1, { minimum: 1, maximum: 1_000_000 })),
});
export type ListDatapointsQuery = Static<typeof listDatapointsQuery>;

export const listDatapoints = defineRoute({
  operation: 'listDatapoints',
  method: 'GET',
  path: '/v1/datapoints',
  aliases: ['/datapoints'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datapoints',
  summary: 'List datapoints by ids or by dataset',
  query: listDatapointsQuery,
  response: Type.Object({
    datapoints: listOf(datapointResponse, 'The datapoints, in dataset order, otherwise newest first.'),
  }),
});
