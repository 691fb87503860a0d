import { makeCreateRun } from './create-run.js';
import { makeDeleteRun } from './delete-run.js';
import { makeGetRun } from './get-run.js';
import { makeListRuns } from './list-runs.js';
import { makeUpdateRun } from './update-run.js';
import type { RunDeps } from './run-repository.js';

/** The operations on runs, by the names of their routes. */
export function runOperations(deps: RunDeps) {
  return {
    listRuns: makeListRuns(deps),
    createRun: makeCreateRun(deps),
    getRun: makeGetRun(deps),
    updateRun: makeUpdateRun(deps),
    deleteRun: makeDeleteRun(deps),
  };
}
