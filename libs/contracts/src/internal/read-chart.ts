import { Type, type Static } from '@sinclair/typebox';
import { chartId, chartResponse } from '../api/charts/chart.js';
import { defineRoute } from '../route.js';
import { BODY_BYTES, projectId, readonlyList } from './fields.js';

const chartName = Type.Object({ projectId: projectId(), chartId: chartId() });
/** Names a chart of a project. */
export type ChartName = Readonly<Static<typeof chartName>>;

export const readChart = defineRoute({
  operation: 'readChart',
  method: 'POST',
  path: '/internal/v1/charts/read',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Read a chart',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: chartName,
  response: Type.Object({
    charts: readonlyList(chartResponse, 'The chart; empty when there is none.', [], { maxItems: 1 }),
  }),
});
