import type { ResponseOf, UpdateChartRequest, updateChart as route } from '@assay/contracts';
import { notFound } from '@assay/errors';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { toChartResponse, type ChartDeps, assertOwnProject } from './chart-document.js';
import { changedContent } from './chart-content.js';

/**
 * Replaces the given fields of a chart. @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for an invalid range
 * or filter, `CONFLICT`
 */
export function makeUpdateChart(deps: ChartDeps) {
  return async function updateChart(
    { params, body }: { params: { chart_id: string }; body: UpdateChartRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const now = deps.now();
    const changed = await new ProjectScopedCollection(deps.charts, caller.projectId).update(
      params.chart_id,
      (chart) => {
        const content = withinSize('chart', changedContent(chart, body, now), chart);
        return { ...chart, ...content, updated_at: now.toISOString() };
      },
    );
    if (!changed) throw notFound('chart not found');
    return { success: true, data: toChartResponse(changed) };
  };
}

/** As {@link makeUpdateChart}. @throws AppError `NOT_FOUND` for another project */
export function makeUpdateProjectChart(deps: ChartDeps) {
  const updateChart = makeUpdateChart(deps);
  return async function updateProjectChart(
    request: { params: { project_id: string; chart_id: string }; body: UpdateChartRequest },
    context: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    assertOwnProject(request.params, context.caller);
    return updateChart(request, context);
  };
}
