import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { listOf, success } from '../../schema/fields.js';
import { chartResponse, projectChartsPath } from './chart.js';

const listing = {
  method: 'GET',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Charts',
  response: Type.Object({ success: success(), data: listOf(chartResponse, 'The charts, newest first.') }),
} as const;

export const listCharts = defineRoute({
  ...listing,
  operation: 'listCharts',
  path: '/v1/charts',
  aliases: ['/charts'],
  summary: 'List charts',
});

export const listProjectCharts = defineRoute({
  ...listing,
  operation: 'listProjectCharts',
  path: '/v1/projects/{project_id}/charts',
  aliases: ['/projects/{project_id}/charts'],
  summary: 'List the charts of the project',
  params: projectChartsPath,
});
