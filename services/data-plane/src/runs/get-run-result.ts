import type { getRunResult, getRunSummary } from '@assay/contracts';
import { AGGREGATE_FUNCTIONS, runResult, type AggregateFunction, type Caller } from '@assay/domain';
import type { Operation, RequestContext } from '@assay/http';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { loadRuns, readRunSessions, type EventSelection } from './load-runs.js';
import { acceptSentFilters } from './sent-filters.js';

/** Computes the result of a run. An unknown aggregate function counts as the average. */
export function makeGetRunResult(deps: DataPlaneDeps): Operation<typeof getRunResult> {
  const computeResult = makeComputeResult(deps);
  return ({ params, query }, context) => {
    const name = AGGREGATE_FUNCTIONS.find((known) => known === query.aggregate_function) ?? 'average';
    return computeResult(params.run_id, name, { filters: acceptSentFilters(query.filters) }, context);
  };
}

/** Computes the result of a run. The schema of the route rejects an unknown aggregate function. */
export function makeGetRunSummary(deps: DataPlaneDeps): Operation<typeof getRunSummary> {
  const computeResult = makeComputeResult(deps);
  return ({ params, query }, context) => {
    const selection = { filters: acceptSentFilters(query.filters) };
    return computeResult(params.run_id, query.aggregate_function ?? 'average', selection, context);
  };
}

function makeComputeResult(deps: DataPlaneDeps) {
  return (
    runId: string,
    aggregateFunction: AggregateFunction,
    selection: EventSelection,
    { caller, waitMs, signal }: RequestContext<Caller>,
  ) =>
    respondWhenCurrent(
      deps,
      waitMs,
      () => loadRuns(deps, caller.projectId, [runId]),
      async (loaded) => {
        const [found] = await readRunSessions(deps, loaded, selection, { signal });
        if (!found) throw new Error('expected the events of one run');
        const { run, sessions, rules } = found;
        const result = runResult({ sessions, rules, status: run.status, aggregateFunction });
        return { ...result, run_object: run };
      },
    );
}
