import { Type, type Static } from '@sinclair/typebox';
import type { Bucketing } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, success } from '../../schema/fields.js';
import { dateRange } from '../events/date-range.js';
import { eventChart, timezone } from '../events/event-chart.js';
import { BUCKETINGS, chartPath, projectChartPath } from './chart.js';

const chartDataQuery = Type.Object({
  dateRange: Type.Optional(dateRange),
  bucketing: Type.Optional(
    choice<Bucketing>(BUCKETINGS, 'Bucket width, in place of that of the chart.', 'auto'),
  ),
  timezone: Type.Optional(timezone()),
});
export type ChartDataQuery = Static<typeof chartDataQuery>;

const reading = {
  method: 'GET',
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Charts',
  permissions: ['events:read'],
  query: chartDataQuery,
  response: Type.Object({ success: success(), data: eventChart }),
} as const;

export const getChartData = defineRoute({
  ...reading,
  operation: 'getChartData',
  path: '/v1/charts/{chart_id}/data',
  aliases: ['/charts/{chart_id}/data'],
  summary:
    'Read the data of a chart; the range and the bucket width of the request replace those of the chart',
  params: chartPath,
});

export const getProjectChartData = defineRoute({
  ...reading,
  operation: 'getProjectChartData',
  path: '/v1/projects/{project_id}/charts/{chart_id}/data',
  aliases: ['/projects/{project_id}/charts/{chart_id}/data'],
  summary: 'Read the data of a chart of the project',
  params: projectChartPath,
});
