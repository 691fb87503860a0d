import { Type, type Static } from '@sinclair/typebox';
import type { MetricRule } from '@assay/domain';
import { filterList } from '../api/metrics/filter-list.js';
import { categories, childMetrics, threshold } from '../api/metrics/metric-parts.js';
import { definitionProperties } from '../api/metrics/metric.js';
import { runId, runResponse } from '../api/runs/run.js';
import { defineRoute } from '../route.js';
import { flag, text } from '../schema/fields.js';
import { BODY_BYTES, orNull, projectId, readonlyList, wholeNumber } from './fields.js';

/** Maximum number of runs of one request. */
export const MAX_RUNS = 100;

const runsQuery = Type.Object({
  projectId: projectId(),
  runIds: readonlyList(runId(), 'Ids of the runs.', ['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'], {
    maxItems: MAX_RUNS,
  }),
  withoutRules: Type.Optional(flag('Whether to leave out the rules.', true)),
});
export type RunsQuery = Readonly<Static<typeof runsQuery>>;

/** What computing on scores needs of a metric. */
const metricRule = Type.Object(
  {
    name: definitionProperties.name,
    type: definitionProperties.type,
    criteria: text('Aggregate function of a composite metric; empty for others.', 'weighted average'),
    return_type: definitionProperties.return_type,
    direction: definitionProperties.direction,
    threshold: threshold(true),
    categories: categories(true),
    child_metrics: childMetrics(true),
    filters: filterList('Events that a composite metric applies to; empty for others.'),
    is_active: flag('False for a deleted metric.', true),
  },
  { description: 'Rules of a metric.' },
);

/** Runs and the rules for their scores. */
export interface RunsWithMetrics {
  readonly runs: readonly Static<typeof runResponse>[];
  readonly metrics: readonly MetricRule[];
}

export const readRuns = defineRoute({
  operation: 'readRuns',
  method: 'POST',
  path: '/internal/v1/runs/read',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Read runs and the rules for scores, in pages of a bounded size',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: Type.Object({
    ...runsQuery.properties,
    skip: wholeNumber('Runs and rules of earlier pages.', 0),
  }),
  response: Type.Object({
    runs: readonlyList(runResponse, 'The runs that exist, in the order of their ids in the request.', []),
    metrics: readonlyList(metricRule, 'One rule for each name, after the last run.', []),
    next: orNull(wholeNumber('The skip of the next page; null after the last one.', 12)),
  }),
});
