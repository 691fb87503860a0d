import { defineRoute } from '../../route.js';
import { metricPath, metricResponse } from './metric.js';

export const getMetric = defineRoute({
  operation: 'getMetric',
  method: 'GET',
  path: '/v1/metrics/{metric_id}',
  aliases: ['/metrics/{metric_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'Read a metric',
  params: metricPath,
  response: metricResponse,
});
