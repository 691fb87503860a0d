import type { ResponseOf, UpdateRunRequest, updateRun as route } from '@assay/contracts';
import { canonicalUuid, updateRun as updatedContent } from '@assay/domain';
import { notFound } from '@assay/errors';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { keysOf } from './run-document.js';
import { type RunDeps, RunRepository } from './run-repository.js';

/**
 * Merges the given objects and replaces the other given fields. @throws AppError `NOT_FOUND`,
 * `VALIDATION_ERROR` if the name is blank, `CONFLICT`
 */
export function makeUpdateRun(deps: RunDeps) {
  return async function updateRun(
    { params, body }: { params: { run_id: string }; body: UpdateRunRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const runs = new RunRepository(deps, caller.projectId);
    const run = await runs.collection.update(canonicalUuid(params.run_id), (before) => {
      const content = withinSize('run', updatedContent(before, body), before);
      return { ...before, ...content, ...keysOf(content), updated_at: deps.now().toISOString() };
    });
    if (!run) throw notFound('run not found');
    return runs.toSingleResponse(run);
  };
}
