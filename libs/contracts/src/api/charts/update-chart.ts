import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import {
  chartEnvelope,
  chartMetric,
  chartName,
  chartPath,
  optionalChartProperties,
  projectChartPath,
} from './chart.js';

export const updateChartRequest = Type.Object(
  { name: Type.Optional(chartName()), metric: Type.Optional(chartMetric()), ...optionalChartProperties },
  {
    $id: 'UpdateChartRequest',
    description: 'Fields to replace; absent fields are unchanged.',
    additionalProperties: false,
  },
);
export type UpdateChartRequest = Static<typeof updateChartRequest>;

const change = {
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Charts',
  limits: bodyLimitsOf('chart'),
  body: updateChartRequest,
  response: chartEnvelope,
} as const;

export const updateChart = defineRoute({
  ...change,
  operation: 'updateChart',
  method: 'PUT',
  path: '/v1/charts/{chart_id}',
  aliases: ['/charts/{chart_id}'],
  summary: 'Change a chart',
  params: chartPath,
});

export const updateProjectChart = defineRoute({
  ...change,
  operation: 'updateProjectChart',
  method: 'PATCH',
  path: '/v1/projects/{project_id}/charts/{chart_id}',
  aliases: ['/projects/{project_id}/charts/{chart_id}'],
  summary: 'Change a chart of the project',
  params: projectChartPath,
});
