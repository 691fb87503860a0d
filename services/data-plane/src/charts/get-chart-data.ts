import type { ChartDataQuery, ChartResponse, getChartData, getProjectChartData } from '@assay/contracts';
import { acceptDateRange, acceptFilters, type Caller } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { Operation, RequestContext } from '@assay/http';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { planChart, type PlannedChart } from './plan-chart.js';
import { readChart } from './read-chart.js';

/** Reads the data of a chart. @throws AppError `NOT_FOUND` */
export function makeGetChartData(deps: DataPlaneDeps): Operation<typeof getChartData> {
  const readData = makeReadData(deps);
  return ({ params, query }, context) => readData(params.chart_id, query, context);
}

/** As {@link makeGetChartData}. @throws AppError `NOT_FOUND` for another project */
export function makeGetProjectChartData(deps: DataPlaneDeps): Operation<typeof getProjectChartData> {
  const readData = makeReadData(deps);
  return async ({ params, query }, context) => {
    if (params.project_id !== context.caller.projectId) throw notFound('project not found');
    return readData(params.chart_id, query, context);
  };
}

function makeReadData(deps: DataPlaneDeps) {
  return (chartId: string, query: ChartDataQuery, context: RequestContext<Caller>) => {
    const { caller, waitMs, signal } = context;
    const { projectId } = caller;
    const plan = async () => {
      const chart = await deps.controlPlane.chart({ projectId, chartId });
      if (!chart) throw notFound('chart not found');
      return planOf(chart, query, deps.now());
    };
    return respondWhenCurrent(deps, waitMs, plan, async (planned) => ({
      success: true,
      data: await readChart(deps, projectId, planned, { signal }),
    }));
  };
}

function planOf(chart: ChartResponse, query: ChartDataQuery, now: number): PlannedChart {
  const { metric, func, groupBy, bucketing } = chart;
  const range = query.dateRange ?? (chart.dateRange === null ? undefined : { ...chart.dateRange });
  const requested = {
    metric,
    func,
    groupBy: groupBy === null || groupBy === '' ? undefined : groupBy,
    bucketing: query.bucketing ?? bucketing,
    range: acceptDateRange(range, now, query.timezone),
    filters: acceptFilters(chart.query ?? [], 'stored', 'query'),
    timezone: query.timezone,
  };
  return planChart(requested, now, 'func');
}
