import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { flag } from '../../schema/fields.js';
import { criteria, metricName, metricPath, metricType, sentMetricProperties } from './metric.js';
import { expectedVersion, versionEnvelope, versionMessage } from './metric-version.js';

export const createMetricVersionRequest = Type.Object(
  {
    message: versionMessage(),
    content: Type.Object(
      {
        name: metricName(),
        type: metricType(),
        criteria: criteria(),
        ...sentMetricProperties('nullable parts'),
      },
      { description: 'Definition of the metric in this version.', additionalProperties: false },
    ),
    deploy_immediately: Type.Optional(flag('Whether to deploy the version; otherwise it is a draft.', false)),
  },
  { $id: 'CreateMetricVersionRequest', description: 'The version to create.', additionalProperties: false },
);
export type CreateMetricVersionRequest = Static<typeof createMetricVersionRequest>;

export const createMetricVersion = defineRoute({
  operation: 'createMetricVersion',
  method: 'POST',
  path: '/v1/metrics/{metric_id}/versions',
  aliases: ['/metrics/{metric_id}/versions'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'Create a version of a metric, as a draft or deployed',
  params: metricPath,
  query: expectedVersion,
  limits: bodyLimitsOf('metric'),
  body: createMetricVersionRequest,
  response: versionEnvelope,
});
