import { createRun, deleteRun, getRun, listRuns, updateRun } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { BindAudited } from '../audit/bind-audited.js';
import { makeCreateRun } from './create-run.js';
import { makeDeleteRun } from './delete-run.js';
import { makeGetRun } from './get-run.js';
import { makeListRuns } from './list-runs.js';
import type { RunDeps } from './run-repository.js';
import { makeUpdateRun } from './update-run.js';

export function runRoutes(deps: RunDeps & { readonly bindAudited: BindAudited }): Binding[] {
  const { bindAudited } = deps;
  return [
    bindAudited(createRun, makeCreateRun(deps), 'run.created', (_, { run_id }) => run_id),
    bind(getRun, makeGetRun(deps)),
    bindAudited(updateRun, makeUpdateRun(deps), 'run.changed', ({ params }) => params.run_id),
    bindAudited(deleteRun, makeDeleteRun(deps), 'run.deleted', ({ params }) => params.run_id),
  ];
}

/** The list of runs without their scores, for clients that call the control plane directly. */
export function directRunRoutes(deps: RunDeps): Binding[] {
  return [bind(listRuns, makeListRuns(deps))];
}
