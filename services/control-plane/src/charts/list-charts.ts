import type { AnswerOf, listCharts as route } from '@assay/contracts';
import type { Asking } from '../records/asking.js';
import { RecordsInProject } from '../records/records-in-project.js';
import { answeredChart, type ChartDeps, checkOwnProject } from './chart-records.js';

/** The charts of the project, newest first. */
export function makeListCharts(deps: ChartDeps) {
  return async function listCharts(_request: object, { caller }: Asking): Promise<AnswerOf<typeof route>> {
    const found = await new RecordsInProject(deps.charts, caller.projectId).all({
      orderBy: 'created_at',
      descending: true,
    });
    return { success: true, data: found.map(answeredChart) };
  };
}

/** As {@link makeListCharts}. @throws AppError `NOT_FOUND` for another project */
export function makeListProjectCharts(deps: ChartDeps) {
  const listCharts = makeListCharts(deps);
  return async function listProjectCharts(
    request: { params: { project_id: string } },
    asking: Asking,
  ): Promise<AnswerOf<typeof route>> {
    checkOwnProject(request.params, asking.caller);
    return listCharts(request, asking);
  };
}
