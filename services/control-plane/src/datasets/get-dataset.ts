import type { DatasetResponse } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { toDatasetResponse } from './dataset-document.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

/** Returns a dataset with the ids of its datapoints. @throws AppError `NOT_FOUND` */
export function makeGetDataset(deps: DatasetDeps) {
  return async function getDataset(
    { params }: { params: { dataset_id: string } },
    { caller }: OperationContext,
  ): Promise<DatasetResponse> {
    const datasets = new DatasetRepository(deps, caller.projectId);
    const dataset = await datasets.getExisting(params.dataset_id);
    return toDatasetResponse(dataset, await datasets.members.ids(dataset));
  };
}
