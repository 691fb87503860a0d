import type { ResponseOf, getRun as route } from '@assay/contracts';
import { canonicalUuid } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { type RunDeps, RunRepository } from './run-repository.js';

/** Returns a run. @throws AppError `NOT_FOUND` */
export function makeGetRun(deps: RunDeps) {
  return async function getRun(
    { params }: { params: { run_id: string } },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const runs = new RunRepository(deps, caller.projectId);
    const run = await runs.collection.get(canonicalUuid(params.run_id));
    if (!run) throw notFound('run not found');
    return runs.toSingleResponse(run);
  };
}
