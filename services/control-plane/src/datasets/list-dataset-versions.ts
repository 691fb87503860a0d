import {
  DEFAULT_PAGE_VERSIONS,
  type ListDatasetVersionsQuery,
  type ResponseOf,
  type listDatasetVersions as route,
} from '@assay/contracts';
import { cursorError, readCursor, writeCursor } from '@assay/domain';
import type { OperationContext } from '../shared/operation-context.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

const CURSOR_KIND = 'versions of a dataset';

/** Lists the versions of a dataset, newest first. @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for a cursor of another list */
export function makeListDatasetVersions(deps: DatasetDeps) {
  return async function listDatasetVersions(
    { params, query }: { params: { dataset_id: string }; query: ListDatasetVersionsQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    const { id, newest_version: newest } = await datasets.getExisting(params.dataset_id);
    const { limit = DEFAULT_PAGE_VERSIONS } = query;
    const upTo = query.cursor === undefined ? Infinity : readNumber(id, query.cursor);
    const first = newest !== undefined && newest.version <= upTo ? [newest] : [];
    // The newest version may be kept already, by a change that has not ended.
    const before = Math.min(upTo, (newest?.version ?? 1) - 1);
    const others = await datasets.versions.page(id, before, limit + 1 - first.length);
    const versions = [...first, ...others];
    const next = versions[limit];
    return {
      versions: versions.slice(0, limit),
      next_cursor: next === undefined ? null : writeCursor(CURSOR_KIND, [id, next.version]),
    };
  };
}

function readNumber(datasetId: string, cursor: string): number {
  const [dataset, number, ...rest] = readCursor(CURSOR_KIND, cursor);
  if (dataset !== datasetId || typeof number !== 'number' || rest.length > 0) throw cursorError();
  return number;
}
