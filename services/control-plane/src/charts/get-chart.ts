import type { ResponseOf, getChart as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { toChartResponse, type ChartDeps, assertOwnProject } from './chart-document.js';

/** Returns a chart. @throws AppError `NOT_FOUND` */
export function makeGetChart(deps: ChartDeps) {
  return async function getChart(
    { params }: { params: { chart_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const chart = await new ProjectScopedCollection(deps.charts, caller.projectId).get(params.chart_id);
    if (!chart) throw notFound('chart not found');
    return { success: true, data: toChartResponse(chart) };
  };
}

/** As {@link makeGetChart}. @throws AppError `NOT_FOUND` for another project */
export function makeGetProjectChart(deps: ChartDeps) {
  const getChart = makeGetChart(deps);
  return async function getProjectChart(
    request: { params: { project_id: string; chart_id: string } },
    context: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    assertOwnProject(request.params, context.caller);
    return getChart(request, context);
  };
}
