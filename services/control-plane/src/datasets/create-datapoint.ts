import type { ResponseOf, CreateDatapointRequest, createDatapoint as route } from '@assay/contracts';
import { newDatapoint } from '@assay/domain';
import { DatasetRepository, type DatapointDeps } from './dataset-repository.js';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { newId } from '../shared/new-id.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';

/**
 * Creates a datapoint and appends it to the given datasets. @throws AppError `NOT_FOUND` if a dataset does
 * not exist
 */
export function makeCreateDatapoint(deps: DatapointDeps) {
  return async function createDatapoint(
    { body }: { body: CreateDatapointRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    const content = withinSize('datapoint', newDatapoint(body));
    const linked = [...new Set(body.linked_datasets)];
    for (const id of linked) await datasets.getExisting(id);
    const created_at = deps.now().toISOString();
    const fields = {
      project_id: caller.projectId,
      ...content,
      created_at,
      updated_at: created_at,
    };
    const { id } = await new ProjectScopedCollection(deps.datapoints, caller.projectId).insert(
      newId(),
      fields,
    );
    for (const dataset of linked) await datasets.link(dataset, [id]);
    return { inserted: true, result: { insertedIds: [id], insertedId: id } };
  };
}
