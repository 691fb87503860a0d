import type { ResponseOf, UpdateRunRequest, updateRun as route } from '@assay/contracts';
import { canonicalUuid, updateRun as updated } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { keysOf } from './run-document.js';
import { type RunDeps, RunRepository } from './run-repository.js';

/** Merges or sets what is given. @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` when the name is blank, `CONFLICT` */
export function makeUpdateRun(deps: RunDeps) {
  return async function updateRun(
    { params, body }: { params: { run_id: string }; body: UpdateRunRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const runs = new RunRepository(deps, caller.projectId);
    const run = await runs.collection.update(canonicalUuid(params.run_id), (before) => {
      const content = updated(before, body);
      return { ...before, ...content, ...keysOf(content), updated_at: deps.now().toISOString() };
    });
    if (!run) throw notFound('run not found');
    return runs.answeredOne(run);
  };
}
