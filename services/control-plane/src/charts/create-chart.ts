import type { ResponseOf, CreateChartRequest, createChart as route } from '@assay/contracts';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { newId } from '../shared/new-id.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { toChartResponse, type ChartDeps, assertOwnProject } from './chart-document.js';
import { changedContent, EMPTY_CHART } from './chart-content.js';

/**
 * Creates a chart. @throws AppError `VALIDATION_ERROR` for an invalid measure, range or filter, `CONFLICT` if the
 * project has the maximum number of charts
 */
export function makeCreateChart(deps: ChartDeps) {
  return async function createChart(
    { body }: { body: CreateChartRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const collection = new ProjectScopedCollection(deps.charts, caller.projectId);
    const { name, metric } = body;
    const content = withinSize('chart', changedContent({ ...EMPTY_CHART, name, metric }, body, deps.now()));
    await collection.assertQuota('charts');
    const created_at = deps.now().toISOString();
    const chart = await collection.insert(newId(), {
      project_id: caller.projectId,
      ...content,
      created_at,
      updated_at: created_at,
    });
    return { success: true, data: toChartResponse(chart) };
  };
}

/** As {@link makeCreateChart}. @throws AppError `NOT_FOUND` for another project */
export function makeCreateProjectChart(deps: ChartDeps) {
  const createChart = makeCreateChart(deps);
  return async function createProjectChart(
    request: { params: { project_id: string }; body: CreateChartRequest },
    context: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    assertOwnProject(request.params, context.caller);
    return createChart(request, context);
  };
}
