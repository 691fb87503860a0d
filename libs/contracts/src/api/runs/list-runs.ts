import { Type, type Static } from '@sinclair/typebox';
import { RUN_STATUSES, type RunStatus } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, flag, integer, listOf, text, textList } from '../../schema/fields.js';
import { resourceId, uuidV4 } from '../../schema/resource-fields.js';
import { dateRange } from '../events/date-range.js';
import { runResponse } from './run.js';

export const RUN_SORTS = ['created_at', 'updated_at', 'name', 'status'] as const;
export type RunSort = (typeof RUN_SORTS)[number];

export const listRunsQuery = Type.Object({
  dataset_id: Type.Optional(resourceId('Only runs on this dataset, including client-owned datasets (EXT-).')),
  page: Type.Optional(
    integer('Page number, starting at 1.', 1, { minimum: 1, maximum: 1_000_000, default: 1 }),
  ),
  limit: Type.Optional(
    integer('Runs per page; 20 when absent, 100 with run_ids.', 20, { minimum: 1, maximum: 100 }),
  ),
  run_ids: Type.Optional(
    Type.Array(uuidV4('Id of a run.'), {
      description: 'Only the runs with these ids.',
      examples: [['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e']],
      maxItems: 100,
    }),
  ),
  name: Type.Optional(
    text('Only runs whose name contains this text, case-insensitive.', 'prompt', { maxLength: 200 }),
  ),
  status: Type.Optional(choice<RunStatus>(RUN_STATUSES, 'Only runs with this status.', 'completed')),
  dateRange: Type.Optional(dateRange),
  sort_by: Type.Optional(choice<RunSort>(RUN_SORTS, 'Sort field.', 'created_at')),
  sort_order: Type.Optional(choice<'asc' | 'desc'>(['asc', 'desc'], 'Sort order.', 'desc')),
});
export type ListRunsQuery = Static<typeof listRunsQuery>;

export const runPagination = Type.Object(
  {
    page: integer('Page number.', 1),
    limit: integer('Runs per page.', 20),
    total: integer('Runs that match, over all pages.', 1),
    total_unfiltered: integer('Runs of the project.', 1),
    total_pages: integer('Number of pages.', 1),
    has_next: flag('Whether there is a next page.', false),
    has_prev: flag('Whether there is a previous page.', false),
  },
  { description: 'Paging information.' },
);

export const listRuns = defineRoute({
  operation: 'listRuns',
  method: 'GET',
  path: '/v1/runs',
  aliases: ['/runs'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'List runs',
  query: listRunsQuery,
  response: Type.Object({
    evaluations: listOf(runResponse, 'The runs of the page.'),
    metrics: textList('Names of the scores of these runs, sorted.', ['accuracy']),
    pagination: runPagination,
    warning: Type.Optional(
      text(
        'Present when the scores could not be read: the metrics are empty.',
        'the scores could not be read',
      ),
    ),
  }),
});
