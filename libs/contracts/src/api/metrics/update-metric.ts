import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import {
  criteria,
  evaluationWarnings,
  metricId,
  metricName,
  metricPath,
  metricType,
  sentMetricProperties,
} from './metric.js';
import { expectedVersion } from './metric-version.js';

const optionalNames = {
  name: Type.Optional(metricName()),
  type: Type.Optional(metricType()),
  criteria: Type.Optional(criteria()),
};

export const updateMetricRequest = Type.Object(
  { ...optionalNames, ...sentMetricProperties('parts') },
  { $id: 'UpdateMetricRequest', description: 'Fields to replace; absent fields are unchanged.' },
);
export type UpdateMetricRequest = Static<typeof updateMetricRequest>;

export const updateMetric = defineRoute({
  operation: 'updateMetric',
  method: 'PUT',
  path: '/v1/metrics/{metric_id}',
  aliases: ['/metrics/{metric_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'Change a metric; creates a version and deploys it',
  params: metricPath,
  query: expectedVersion,
  limits: bodyLimitsOf('metric'),
  body: updateMetricRequest,
  response: Type.Object({ updated: success(), warnings: evaluationWarnings() }),
});

export const updateMetricByBodyRequest = Type.Object(
  { id: metricId(), ...optionalNames, ...sentMetricProperties('nullable parts') },
  { $id: 'UpdateMetricByBodyRequest', description: 'Id of the metric and the fields to replace.' },
);
export type UpdateMetricByBodyRequest = Static<typeof updateMetricByBodyRequest>;

export const updateMetricByBody = defineRoute({
  operation: 'updateMetricByBody',
  method: 'PUT',
  path: '/v1/metrics',
  aliases: ['/metrics'],
  describedAliases: ['/metrics'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'Change the metric identified in the body',
  successor: 'updateMetric',
  query: expectedVersion,
  limits: bodyLimitsOf('metric'),
  body: updateMetricByBodyRequest,
  response: Type.Object({ updated: success(), warnings: evaluationWarnings() }),
});
