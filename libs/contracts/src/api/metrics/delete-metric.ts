import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import { metricPath } from './metric.js';

const deletion = {
  method: 'DELETE',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  response: Type.Object({ deleted: success() }),
} as const;

export const deleteMetric = defineRoute({
  ...deletion,
  operation: 'deleteMetric',
  path: '/v1/metrics/{metric_id}',
  aliases: ['/metrics/{metric_id}'],
  summary: 'Delete a metric; its scores are kept',
  params: metricPath,
});

export const deleteMetricByQuery = defineRoute({
  ...deletion,
  operation: 'deleteMetricByQuery',
  path: '/v1/metrics',
  aliases: ['/metrics'],
  summary: 'Delete the metric identified in the query',
  successor: 'deleteMetric',
  query: metricPath,
});
