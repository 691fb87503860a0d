import type { AnswerOf, getChart as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import type { Asking } from '../records/asking.js';
import { RecordsInProject } from '../records/records-in-project.js';
import { answeredChart, type ChartDeps, checkOwnProject } from './chart-records.js';

/** @throws AppError `NOT_FOUND` */
export function makeGetChart(deps: ChartDeps) {
  return async function getChart(
    { params }: { params: { chart_id: string } },
    { caller }: Asking,
  ): Promise<AnswerOf<typeof route>> {
    const chart = await new RecordsInProject(deps.charts, caller.projectId).get(params.chart_id);
    if (!chart) throw notFound('chart not found');
    return { success: true, data: answeredChart(chart) };
  };
}

/** As {@link makeGetChart}. @throws AppError `NOT_FOUND` for another project */
export function makeGetProjectChart(deps: ChartDeps) {
  const getChart = makeGetChart(deps);
  return async function getProjectChart(
    request: { params: { project_id: string; chart_id: string } },
    asking: Asking,
  ): Promise<AnswerOf<typeof route>> {
    checkOwnProject(request.params, asking.caller);
    return getChart(request, asking);
  };
}
