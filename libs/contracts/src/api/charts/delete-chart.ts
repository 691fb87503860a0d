import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success, text } from '../../schema/fields.js';
import { chartPath, projectChartPath } from './chart.js';

const deletion = {
  method: 'DELETE',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Charts',
  response: Type.Object({
    success: success(),
    message: text('Description of the change.', 'chart deleted'),
  }),
} as const;

export const deleteChart = defineRoute({
  ...deletion,
  operation: 'deleteChart',
  path: '/v1/charts/{chart_id}',
  aliases: ['/charts/{chart_id}'],
  summary: 'Delete a chart',
  params: chartPath,
});

export const deleteProjectChart = defineRoute({
  ...deletion,
  operation: 'deleteProjectChart',
  path: '/v1/projects/{project_id}/charts/{chart_id}',
  aliases: ['/projects/{project_id}/charts/{chart_id}'],
  summary: 'Delete a chart of the project',
  params: projectChartPath,
});
