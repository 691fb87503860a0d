import {
  createChart,
  createProjectChart,
  deleteChart,
  deleteProjectChart,
  getChart,
  getProjectChart,
  listCharts,
  listProjectCharts,
  updateChart,
  updateProjectChart,
} from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { BindAudited } from '../audit/bind-audited.js';
import type { ChartDeps } from './chart-document.js';
import { makeCreateChart, makeCreateProjectChart } from './create-chart.js';
import { makeDeleteChart, makeDeleteProjectChart } from './delete-chart.js';
import { makeGetChart, makeGetProjectChart } from './get-chart.js';
import { makeListCharts, makeListProjectCharts } from './list-charts.js';
import { makeUpdateChart, makeUpdateProjectChart } from './update-chart.js';

export function chartRoutes(deps: ChartDeps & { readonly bindAudited: BindAudited }): Binding[] {
  const { bindAudited } = deps;
  return [
    bind(listCharts, makeListCharts(deps)),
    bind(listProjectCharts, makeListProjectCharts(deps)),
    bindAudited(createChart, makeCreateChart(deps), 'chart.created', (_, { data }) => data.id),
    bindAudited(createProjectChart, makeCreateProjectChart(deps), 'chart.created', (_, { data }) => data.id),
    bind(getChart, makeGetChart(deps)),
    bind(getProjectChart, makeGetProjectChart(deps)),
    bindAudited(updateChart, makeUpdateChart(deps), 'chart.changed', ({ params }) => params.chart_id),
    bindAudited(
      updateProjectChart,
      makeUpdateProjectChart(deps),
      'chart.changed',
      ({ params }) => params.chart_id,
    ),
    bindAudited(deleteChart, makeDeleteChart(deps), 'chart.deleted', ({ params }) => params.chart_id),
    bindAudited(
      deleteProjectChart,
      makeDeleteProjectChart(deps),
      'chart.deleted',
      ({ params }) => params.chart_id,
    ),
  ];
}
