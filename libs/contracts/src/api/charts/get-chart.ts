import { defineRoute } from '../../route.js';
import { chartEnvelope, chartPath, projectChartPath } from './chart.js';

const reading = {
  method: 'GET',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Charts',
  response: chartEnvelope,
} as const;

export const getChart = defineRoute({
  ...reading,
  operation: 'getChart',
  path: '/v1/charts/{chart_id}',
  aliases: ['/charts/{chart_id}'],
  summary: 'Read a chart',
  params: chartPath,
});

export const getProjectChart = defineRoute({
  ...reading,
  operation: 'getProjectChart',
  path: '/v1/projects/{project_id}/charts/{chart_id}',
  aliases: ['/projects/{project_id}/charts/{chart_id}'],
  summary: 'Read a chart of the project',
  params: projectChartPath,
});
