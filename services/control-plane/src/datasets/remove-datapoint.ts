import type { ResponseOf, removeDatapoint as route } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { DatasetRepository, type DatasetDeps } from './dataset-repository.js';

/**
 * Removes a datapoint from a dataset, without deleting it. @throws AppError `NOT_FOUND` if the dataset does
 * not exist
 */
export function makeRemoveDatapoint(deps: DatasetDeps) {
  return async function removeDatapoint(
    { params }: { params: { dataset_id: string; datapoint_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    return toRemovalResponse(
      await new DatasetRepository(deps, caller.projectId).unlink(params.dataset_id, params.datapoint_id),
    );
  };
}

/**
 * Returns the response to a removal. Repeating it is not an error: the datapoint is not a member any more.
 */
export function toRemovalResponse(isRemoved: boolean): { dereferenced: boolean; message: string } {
  return {
    dereferenced: isRemoved,
    message: isRemoved ? 'datapoint removed from the dataset' : 'the dataset does not contain this datapoint',
  };
}
