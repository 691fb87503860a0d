import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { type ChartDeps, assertOwnProject } from './chart-document.js';

/** Response to a deletion. */
export interface DeletedChart {
  success: true;
  message: string;
}

/** Deletes a chart. @throws AppError `NOT_FOUND` */
export function makeDeleteChart(deps: ChartDeps) {
  return async function deleteChart(
    { params }: { params: { chart_id: string } },
    { caller }: OperationContext,
  ): Promise<DeletedChart> {
    const deleted = await new ProjectScopedCollection(deps.charts, caller.projectId).delete(params.chart_id);
    if (!deleted) throw notFound('chart not found');
    return { success: true, message: 'chart deleted' };
  };
}

/** As {@link makeDeleteChart}. @throws AppError `NOT_FOUND` for another project */
export function makeDeleteProjectChart(deps: ChartDeps) {
  const deleteChart = makeDeleteChart(deps);
  return async function deleteProjectChart(
    request: { params: { project_id: string; chart_id: string } },
    context: OperationContext,
  ): Promise<DeletedChart> {
    assertOwnProject(request.params, context.caller);
    return deleteChart(request, context);
  };
}
