import type { ControlPlane } from '@assay/control-plane-client';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { toChartResponse, type ChartDeps } from './chart-document.js';

/** Reads charts for data planes, which hold the events. */
export function chartForDataPlane(deps: Pick<ChartDeps, 'charts'>): Pick<ControlPlane, 'chart'> {
  return {
    chart: async ({ projectId, chartId }) => {
      const chart = await new ProjectScopedCollection(deps.charts, projectId).get(chartId);
      return chart && toChartResponse(chart);
    },
  };
}
