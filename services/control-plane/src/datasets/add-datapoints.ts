import type { AddDatapointsRequest, ResponseOf, addDatapoints as route } from '@assay/contracts';
import { mapDatapoint } from '@assay/domain';
import type { DatapointCollection } from './datapoint-document.js';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { newId } from '../shared/new-id.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

/**
 * Creates a datapoint from each object and appends them to the dataset, in order. All objects are validated
 * before any is stored.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` if the history of an object is not a list of messages
 */
export function makeAddDatapoints(deps: DatasetDeps & { datapoints: DatapointCollection }) {
  return async function addDatapoints(
    { params, body }: { params: { dataset_id: string }; body: AddDatapointsRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    const datapoints = new ProjectScopedCollection(deps.datapoints, caller.projectId);
    const contents = body.data.map((object, index) =>
      withinSize(
        'datapoint',
        mapDatapoint(object, body.mapping, `data[${index}]`),
        undefined,
        `data[${index}]: `,
      ),
    );
    await datasets.getExisting(params.dataset_id);
    const created_at = deps.now().toISOString();
    const created = contents.map((content) => ({
      id: newId(),
      fields: { project_id: caller.projectId, ...content, created_at, updated_at: created_at },
    }));
    await datapoints.insertMissing(created);
    const ids = created.map(({ id }) => id);
    await datasets.link(params.dataset_id, ids);
    return { inserted: true, datapoint_ids: ids };
  };
}
