import { Type, type Static } from '@sinclair/typebox';
import { METRIC_TYPES, type MetricType } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, listOf } from '../../schema/fields.js';
import { resourceId } from '../../schema/resource-fields.js';
import { exampleType, metricResponse } from './metric.js';

const listMetricsQuery = Type.Object({
  type: Type.Optional(choice<MetricType>(METRIC_TYPES, 'Only metrics of this type.', exampleType)),
  id: Type.Optional(resourceId('Only the metric with this id.')),
});
export type ListMetricsQuery = Static<typeof listMetricsQuery>;

export const listMetrics = defineRoute({
  operation: 'listMetrics',
  method: 'GET',
  path: '/v1/metrics',
  aliases: ['/metrics'],
  owner: 'control-plane',
  access: 'project',
  tag: 'Metrics',
  summary: 'List metrics',
  query: listMetricsQuery,
  response: Type.Object({ metrics: listOf(metricResponse, 'The metrics, newest first.') }),
});
