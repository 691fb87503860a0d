import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import {
  chartEnvelope,
  chartMetric,
  chartName,
  optionalChartProperties,
  projectChartsPath,
} from './chart.js';

export const createChartRequest = Type.Object(
  { name: chartName(), metric: chartMetric(), ...optionalChartProperties },
  { $id: 'CreateChartRequest', description: 'The chart to create.', additionalProperties: false },
);
export type CreateChartRequest = Static<typeof createChartRequest>;

const creation = {
  method: 'POST',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Charts',
  limits: bodyLimitsOf('chart'),
  body: createChartRequest,
  response: chartEnvelope,
} as const;

export const createChart = defineRoute({
  ...creation,
  operation: 'createChart',
  path: '/v1/charts',
  aliases: ['/charts'],
  summary: 'Create a chart',
});

export const createProjectChart = defineRoute({
  ...creation,
  operation: 'createProjectChart',
  path: '/v1/projects/{project_id}/charts',
  aliases: ['/projects/{project_id}/charts'],
  summary: 'Create a chart of the project',
  params: projectChartsPath,
});
