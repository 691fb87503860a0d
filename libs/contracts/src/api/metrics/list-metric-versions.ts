import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { listOf, success } from '../../schema/fields.js';
import { metricPath } from './metric.js';
import { metricVersion } from './metric-version.js';

export const listMetricVersions = defineRoute({
  operation: 'listMetricVersions',
  method: 'GET',
  path: '/v1/metrics/{metric_id}/versions',
  aliases: ['/metrics/{metric_id}/versions'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'List the versions of a metric',
  params: metricPath,
  response: Type.Object({ success: success(), data: listOf(metricVersion, 'The versions, oldest first.') }),
});
