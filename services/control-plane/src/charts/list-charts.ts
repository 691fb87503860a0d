import type { ResponseOf, listCharts as route } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { toChartResponse, type ChartDeps, assertOwnProject } from './chart-document.js';

/** Lists the charts of the project, newest first. */
export function makeListCharts(deps: ChartDeps) {
  return async function listCharts(
    _request: object,
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const found = await new ProjectScopedCollection(deps.charts, caller.projectId).all({
      orderBy: 'created_at',
      descending: true,
    });
    return { success: true, data: found.map(toChartResponse) };
  };
}

/** As {@link makeListCharts}. @throws AppError `NOT_FOUND` for another project */
export function makeListProjectCharts(deps: ChartDeps) {
  const listCharts = makeListCharts(deps);
  return async function listProjectCharts(
    request: { params: { project_id: string } },
    context: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    assertOwnProject(request.params, context.caller);
    return listCharts(request, context);
  };
}
