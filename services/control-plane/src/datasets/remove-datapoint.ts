import type { ResponseOf, removeDatapoint as route } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

/** Takes a datapoint out of a dataset; the datapoint itself stays. @throws AppError `NOT_FOUND` for the dataset */
export function makeRemoveDatapoint(deps: DatasetDeps) {
  return async function removeDatapoint(
    { params }: { params: { dataset_id: string; datapoint_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    return removed(
      await new DatasetRepository(deps, caller.projectId).unlink(params.dataset_id, params.datapoint_id),
    );
  };
}

/** OperationContext twice is no mistake: what is not there any more has been removed. */
export function removed(held: boolean): { dereferenced: boolean; message: string } {
  return {
    dereferenced: held,
    message: held ? 'datapoint removed from the dataset' : 'the dataset does not hold this datapoint',
  };
}
