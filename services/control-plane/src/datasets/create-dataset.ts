import type { ResponseOf, CreateDatasetRequest, createDataset as route } from '@assay/contracts';
import { NO_CHANGE } from '@assay/domain';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { newId } from '../shared/new-id.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

const UNTITLED = 'Untitled Dataset';

/**
 * Creates a dataset. Its members are written first, so that the dataset is complete as soon as it is visible.
 * @throws AppError `CONFLICT` if the project has the maximum number of datasets
 */
export function makeCreateDataset(deps: DatasetDeps) {
  return async function createDataset(
    { body }: { body: CreateDatasetRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const { collection, members } = new DatasetRepository(deps, caller.projectId);
    const { name = UNTITLED, description, datapoints = [] } = body;
    const content = withinSize('dataset', { name, description: description ?? '' });
    const created_at = deps.now().toISOString();
    const [id, list_id] = [newId(), newId()];
    await collection.assertQuota('datasets');
    await members.add({ id, list_id }, datapoints);
    const added = new Set(datapoints).size;
    const newest_version = { version: 1, created_at, ...NO_CHANGE, added, datapoints: added };
    const fields = { project_id: caller.projectId, ...content, list_id, newest_version };
    await collection.insert(id, { ...fields, created_at, updated_at: created_at });
    return { inserted: true, result: { insertedId: id } };
  };
}
