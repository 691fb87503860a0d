import type { ResponseOf, listCharts as route } from '@assay/contracts';
import { mapPages, streamJson, type JsonStream } from '@assay/http';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { toChartResponse, type ChartDeps, assertOwnProject } from './chart-document.js';

/** Lists the charts of the project, newest first. */
export function makeListCharts(deps: ChartDeps) {
  return function listCharts(
    _request: object,
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const pages = new ProjectScopedCollection(deps.charts, caller.projectId).allPages({
      orderBy: 'created_at',
      descending: true,
    });
    return Promise.resolve(
      streamJson<ResponseOf<typeof route>>({ success: true, data: mapPages(pages, toChartResponse) }),
    );
  };
}

/** As {@link makeListCharts}. @throws AppError `NOT_FOUND` for another project */
export function makeListProjectCharts(deps: ChartDeps) {
  const listCharts = makeListCharts(deps);
  return async function listProjectCharts(
    request: { params: { project_id: string } },
    context: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    assertOwnProject(request.params, context.caller);
    return listCharts(request, context);
  };
}
