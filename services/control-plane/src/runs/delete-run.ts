import type { ResponseOf, deleteRun as route } from '@assay/contracts';
import { canonicalUuid } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { type RunDeps, RunRepository } from './run-repository.js';

/** Deletes a run, but not its events. @throws AppError `NOT_FOUND` */
export function makeDeleteRun(deps: RunDeps) {
  return async function deleteRun(
    { params }: { params: { run_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const id = canonicalUuid(params.run_id);
    if (!(await new RunRepository(deps, caller.projectId).collection.delete(id)))
      throw notFound('run not found');
    return { id, deleted: true };
  };
}
