import { chartEvents, getChartData, getProjectChartData } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeChartEvents } from './chart-events.js';
import { makeGetChartData, makeGetProjectChartData } from './get-chart-data.js';

/** Charts of events. Precedes the route of one event. */
export function chartRoutes(deps: DataPlaneDeps): Binding[] {
  return [
    bind(chartEvents, makeChartEvents(deps)),
    bind(getChartData, makeGetChartData(deps)),
    bind(getProjectChartData, makeGetProjectChartData(deps)),
  ];
}
