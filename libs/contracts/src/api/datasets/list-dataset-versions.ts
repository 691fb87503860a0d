import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, listOf } from '../../schema/fields.js';
import { createdAt } from '../../schema/resource-fields.js';
import { cursorText, nextCursor } from '../events/page-events.js';
import { datasetPath } from './dataset.js';

/** Versions of a dataset that are kept, the newest ones. */
export const MAX_DATASET_VERSIONS = 1_000;
/** Maximum and default number of versions per page. */
export const MAX_PAGE_VERSIONS = 200;
export const DEFAULT_PAGE_VERSIONS = 50;

const datasetVersion = Type.Object(
  {
    version: integer('Number of the version, from 1.', 3, { minimum: 1 }),
    created_at: createdAt(),
    added: integer('Datapoints that the change added.', 2, { minimum: 0 }),
    removed: integer('Datapoints that the change removed.', 0, { minimum: 0 }),
    changed: integer('Datapoints whose content the change replaced.', 0, { minimum: 0 }),
    datapoints: integer('Datapoints of the dataset after the change.', 12, { minimum: 0 }),
  },
  { $id: 'DatasetVersion', description: 'A state of a dataset, and what led to it.' },
);

const listDatasetVersionsQuery = Type.Object({
  limit: Type.Optional(
    integer(`Versions per page; ${DEFAULT_PAGE_VERSIONS} when absent.`, DEFAULT_PAGE_VERSIONS, {
      minimum: 1,
      maximum: MAX_PAGE_VERSIONS,
    }),
  ),
  cursor: Type.Optional(cursorText('The next_cursor of the previous page.')),
});
export type ListDatasetVersionsQuery = Static<typeof listDatasetVersionsQuery>;

export const listDatasetVersions = defineRoute({
  operation: 'listDatasetVersions',
  method: 'GET',
  path: '/v1/datasets/{dataset_id}/versions',
  aliases: ['/datasets/{dataset_id}/versions'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Datasets',
  summary: `List the newest ${MAX_DATASET_VERSIONS} versions of a dataset page by page`,
  params: datasetPath,
  query: listDatasetVersionsQuery,
  response: Type.Object({
    versions: listOf(datasetVersion, 'The versions, newest first.'),
    next_cursor: nextCursor(),
  }),
});
