import {
  DEFAULT_PAGE_DATAPOINTS,
  type listDatasetDatapoints as route,
  type ListDatasetDatapointsQuery,
  type ResponseOf,
} from '@assay/contracts';
import { cursorError, readCursor, writeCursor } from '@assay/domain';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { Datapoint } from './datapoint-document.js';
import { DatasetRepository, type DatapointDeps } from './dataset-repository.js';
import { withLinkedDatasets } from './linked-datasets.js';

const CURSOR_KIND = 'datapoints of a dataset';

/**
 * Lists the datapoints of a dataset page by page, in their order. Datapoints that are added meanwhile follow on the last
 * page. Replacing the whole list ends the cursors of the earlier one.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for a cursor of another list
 */
export function makeListDatasetDatapoints(deps: DatapointDeps) {
  return async function listDatasetDatapoints(
    { params, query }: { params: { dataset_id: string }; query: ListDatasetDatapointsQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    const dataset = await datasets.getExisting(params.dataset_id);
    const { limit = DEFAULT_PAGE_DATAPOINTS } = query;
    const position = query.cursor === undefined ? undefined : readPosition(dataset.list_id, query.cursor);
    const [page, total] = await Promise.all([
      datasets.members.pageAfter(dataset, position, limit),
      datasets.members.count(dataset),
    ]);
    const datapoints = new ProjectScopedCollection(deps.datapoints, caller.projectId);
    const found: readonly Datapoint[] = await datapoints.getAll(page.ids);
    const byId = new Map(found.map((datapoint) => [datapoint.id, datapoint]));
    const inOrder = page.ids.flatMap((id) => byId.get(id) ?? []);
    return {
      datapoints: await withLinkedDatasets(datasets, inOrder),
      total,
      next_cursor: page.next === undefined ? null : writeCursor(CURSOR_KIND, [dataset.list_id, page.next]),
    };
  };
}

function readPosition(listId: string, cursor: string): string {
  const [list, position, ...rest] = readCursor(CURSOR_KIND, cursor);
  if (list !== listId || typeof position !== 'string' || rest.length > 0) throw cursorError();
  return position;
}
