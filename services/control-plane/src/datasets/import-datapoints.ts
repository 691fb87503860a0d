import type { ImportDatapointsRequest, ResponseOf, importDatapoints as route } from '@assay/contracts';
import { newDatapoint } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { withinSize } from '../shared/within-size.js';
import { DatasetRepository, type DatapointDeps } from './dataset-repository.js';

/**
 * Adds datapoints whose ids the client derives from its source, so that an interrupted import is repeated without
 * duplicates. A datapoint that exists keeps its content: it may have been changed since.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` if an id occurs twice, `PAYLOAD_TOO_LARGE`
 */
export function makeImportDatapoints(deps: DatapointDeps) {
  return async function importDatapoints(
    { params, body }: { params: { dataset_id: string }; body: ImportDatapointsRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    const ids = body.datapoints.map(({ id }) => id);
    assertDistinct(ids);
    const contents = body.datapoints.map((sent, index) =>
      withinSize('datapoint', newDatapoint(sent), undefined, `datapoints[${index}]: `),
    );
    const dataset = await datasets.getExisting(params.dataset_id);
    const present = await datasets.members.membersAmong(dataset, ids);
    const created_at = deps.now().toISOString();
    const times = { created_at, updated_at: created_at };
    const fresh = contents.flatMap((content, index) => {
      const id = ids[index] ?? '';
      return present.has(id) ? [] : [{ id, fields: { project_id: caller.projectId, ...content, ...times } }];
    });
    if (fresh.length > 0) {
      await new ProjectScopedCollection(deps.datapoints, caller.projectId).insertMissing(fresh);
      await datasets.link(
        params.dataset_id,
        fresh.map(({ id }) => id),
      );
    }
    return { added: fresh.length, present: present.size };
  };
}

function assertDistinct(ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    if (seen.has(id)) throw validationError(`datapoints[${index}].id occurs twice in the request`);
    seen.add(id);
  }
}
