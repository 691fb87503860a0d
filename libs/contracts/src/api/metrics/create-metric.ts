import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import {
  criteria,
  evaluationWarnings,
  metricId,
  metricName,
  metricType,
  sentMetricProperties,
} from './metric.js';

export const createMetricRequest = Type.Object(
  { name: metricName(), type: metricType(), criteria: criteria(), ...sentMetricProperties('nullable parts') },
  { $id: 'CreateMetricRequest', description: 'The metric to create.' },
);
export type CreateMetricRequest = Static<typeof createMetricRequest>;

export const createMetric = defineRoute({
  operation: 'createMetric',
  method: 'POST',
  path: '/v1/metrics',
  aliases: ['/metrics'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'Create a metric and deploy its first version',
  limits: bodyLimitsOf('metric'),
  body: createMetricRequest,
  response: Type.Object({
    inserted: success(),
    metric_id: metricId(),
    warnings: evaluationWarnings(),
  }),
});
