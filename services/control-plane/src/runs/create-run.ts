import { randomUUID } from 'node:crypto';
import type { ResponseOf, CreateRunRequest, createRun as route } from '@assay/contracts';
import { canonicalUuid, mergeRun, newRun } from '@assay/domain';
import { AppError } from '@assay/errors';
import { withinSize } from '../shared/within-size.js';
import type { OperationContext } from '../shared/operation-context.js';
import { keysOf, type Run } from './run-document.js';
import { type RunDeps, RunRepository } from './run-repository.js';

/**
 * Creates a run under the client's id, or under a new one. An existing run is merged with the request, so
 * that a retry is harmless. @throws AppError `VALIDATION_ERROR` if the name is blank, `CONFLICT`
 */
export function makeCreateRun(deps: RunDeps) {
  return async function createRun(
    { body }: { body: CreateRunRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const runs = new RunRepository(deps, caller.projectId);
    const run_id = canonicalUuid(body.run_id ?? randomUUID());
    const run =
      (await merge(runs, run_id, body, deps.now())) ?? (await insert(runs, run_id, body, deps.now()));
    return { ...(await runs.toSingleResponse(run)), run_id };
  };
}

function merge(
  { collection }: RunRepository,
  run_id: string,
  body: CreateRunRequest,
  now: Date,
): Promise<Run | undefined> {
  return collection.update(run_id, (run) => {
    const content = withinSize('run', mergeRun(run, body), run);
    return { ...run, ...content, ...keysOf(content), updated_at: now.toISOString() };
  });
}

/** Inserts a run, or merges it into one that was inserted concurrently. */
async function insert(runs: RunRepository, run_id: string, body: CreateRunRequest, now: Date): Promise<Run> {
  const content = withinSize('run', newRun(body));
  const times = { created_at: now.toISOString(), updated_at: now.toISOString() };
  try {
    return await runs.collection.insert(run_id, {
      project_id: runs.collection.projectId,
      run_id,
      ...content,
      ...keysOf(content),
      ...times,
    });
  } catch (error) {
    const isTaken = error instanceof AppError && error.code === 'CONFLICT';
    const merged = isTaken ? await merge(runs, run_id, body, now) : undefined;
    if (!merged) throw error;
    return merged;
  }
}
