import { defineRoute } from '../../route.js';
import { expectedVersion, versionEnvelope, versionPath } from './metric-version.js';

export const deployMetricVersion = defineRoute({
  operation: 'deployMetricVersion',
  method: 'POST',
  path: '/v1/metrics/{metric_id}/versions/{version_name}/deploy',
  aliases: ['/metrics/{metric_id}/versions/{version_name}/deploy'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'Deploy a version of a metric',
  params: versionPath,
  query: expectedVersion,
  response: versionEnvelope,
});
