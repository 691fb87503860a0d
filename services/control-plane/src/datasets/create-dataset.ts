import type { AnswerOf, CreateDatasetRequest, createDataset as route } from '@assay/contracts';
import type { Asking } from '../records/asking.js';
import { newId } from '../records/new-id.js';
import { Datasets, type DatasetDeps } from './datasets-of.js';

const UNTITLED = 'Untitled Dataset';

/**
 * Creates a dataset. Its list comes first, so that the dataset is complete from the moment it can be seen.
 * @throws AppError `CONFLICT` when the project has too many datasets
 */
export function makeCreateDataset(deps: DatasetDeps) {
  return async function createDataset(
    { body }: { body: CreateDatasetRequest },
    { caller }: Asking,
  ): Promise<AnswerOf<typeof route>> {
    const { records, members } = new Datasets(deps, caller.projectId);
    const { name = UNTITLED, description, datapoints = [] } = body;
    const created_at = deps.now().toISOString();
    const [id, list_id] = [newId(), newId()];
    await records.checkRoom('datasets');
    await members.add({ id, list_id }, datapoints);
    const fields = { project_id: caller.projectId, name, description: description ?? '', list_id };
    await records.insert(id, { ...fields, created_at, updated_at: created_at });
    return { inserted: true, result: { insertedId: id } };
  };
}
