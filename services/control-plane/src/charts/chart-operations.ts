import { makeCreateChart, makeCreateProjectChart } from './create-chart.js';
import { makeDeleteChart, makeDeleteProjectChart } from './delete-chart.js';
import { makeGetChart, makeGetProjectChart } from './get-chart.js';
import { makeListCharts, makeListProjectCharts } from './list-charts.js';
import { makeUpdateChart, makeUpdateProjectChart } from './update-chart.js';
import type { ChartDeps } from './chart-document.js';

/** The operations on charts, by the names of their routes. */
export function chartOperations(deps: ChartDeps) {
  return {
    listCharts: makeListCharts(deps),
    listProjectCharts: makeListProjectCharts(deps),
    createChart: makeCreateChart(deps),
    createProjectChart: makeCreateProjectChart(deps),
    getChart: makeGetChart(deps),
    getProjectChart: makeGetProjectChart(deps),
    updateChart: makeUpdateChart(deps),
    updateProjectChart: makeUpdateProjectChart(deps),
    deleteChart: makeDeleteChart(deps),
    deleteProjectChart: makeDeleteProjectChart(deps),
  };
}
