import { Type, type Static } from '@sinclair/typebox';
import { METRIC_TYPES, type MetricType } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, listOf, text } from '../../schema/fields.js';
import { resourceId } from '../../schema/resource-fields.js';
import { exampleType, metricId, metricResponse } from './metric.js';

const listMetricsQuery = Type.Object({
  type: Type.Optional(choice<MetricType>(METRIC_TYPES, 'Only metrics of this type.', exampleType)),
  id: Type.Optional(resourceId('Only the metric with this id.')),
});
export type ListMetricsQuery = Static<typeof listMetricsQuery>;

export const listMetrics = defineRoute({
  operation: 'listMetrics',
  method: 'GET',
  path: '/v1/metrics',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'List metrics',
  query: listMetricsQuery,
  response: Type.Object({ metrics: listOf(metricResponse, 'The metrics, newest first.') }),
});

/** Names of the types of metrics at the clients of the 0.2 line. */
const OLDER_TYPES = ['custom', 'model', 'human', 'composite'] as const;
export type OlderMetricType = (typeof OLDER_TYPES)[number];

const olderMetric = Type.Object(
  {
    ...metricResponse.properties,
    _id: metricId(),
    task: text('Name of the project.', 'support'),
    type: choice<OlderMetricType>(OLDER_TYPES, 'Evaluator type, in the words of older clients.', 'custom'),
    code_snippet: Type.Optional(text('Criteria of a metric in Python.', 'def accuracy(event): return 1.0')),
    prompt: Type.Optional(text('Criteria of an LLM judge.', 'Rate the answer from 1 to 5.')),
  },
  { $id: 'OlderMetric', description: 'A metric as clients of the 0.2 line read it.' },
);

export const listMetricsAsArray = defineRoute({
  operation: 'listMetricsAsArray',
  method: 'GET',
  path: '/metrics',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'List metrics, as an array without a name',
  query: listMetricsQuery,
  response: Type.Array(olderMetric),
  successor: 'listMetrics',
});
