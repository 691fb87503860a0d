import { randomUUID } from 'node:crypto';
import type { ResponseOf, CreateRunRequest, createRun as route } from '@assay/contracts';
import { canonicalUuid, mergeRun, newRun } from '@assay/domain';
import { AppError } from '@assay/errors';
import { createYieldToEventLoop } from '@assay/runtime';
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
    const created = { run_id, body, now: deps.now(), version: await runs.datasetVersion(body.dataset_id) };
    const run = (await merge(runs, created)) ?? (await insert(runs, created));
    return { ...(await runs.toSingleResponse(run)), run_id };
  };
}

interface CreatedRun {
  readonly run_id: string;
  readonly body: CreateRunRequest;
  readonly now: Date;
  /** Present version of the dataset in the body. */
  readonly version: number | null;
}

/** The version is that of the first request which names the dataset. */
function merge(
  { collection }: RunRepository,
  { run_id, body, now, version }: CreatedRun,
): Promise<Run | undefined> {
  return collection.update(run_id, (run) => {
    const content = withinSize('run', mergeRun(run, body), run);
    const isSame = content.dataset_id === run.dataset_id;
    const dataset_version = isSame ? run.dataset_version : version;
    return { ...run, ...content, ...keysOf(content), dataset_version, updated_at: now.toISOString() };
  });
}

/** Inserts a run, or merges it into one that was inserted concurrently. */
async function insert(runs: RunRepository, created: CreatedRun): Promise<Run> {
  const { run_id, body, now, version: dataset_version } = created;
  const yieldToEventLoop = createYieldToEventLoop();
  const content = newRun(body);
  // A run of 10 MB is merged and measured in turns of their own.
  await yieldToEventLoop();
  withinSize('run', content);
  const times = { created_at: now.toISOString(), updated_at: now.toISOString() };
  try {
    return await runs.collection.insert(run_id, {
      project_id: runs.collection.projectId,
      run_id,
      ...content,
      ...keysOf(content),
      dataset_version,
      ...times,
    });
  } catch (error) {
    const isTaken = error instanceof AppError && error.code === 'CONFLICT';
    const merged = isTaken ? await merge(runs, created) : undefined;
    if (!merged) throw error;
    return merged;
  }
}
