import type { getRunResult, getRunSummary } from '@assay/contracts';
import {
  AGGREGATE_FUNCTIONS,
  runResult,
  type AggregateFunction,
  type Caller,
  type RunRules,
} from '@assay/domain';
import { AppError } from '@assay/errors';
import type { Operation, RequestContext } from '@assay/http';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import {
  loadRuns,
  readRunSessions,
  UnusableMetricsError,
  type EventSelection,
  type LoadedRuns,
} from './load-runs.js';
import { acceptSentFilters } from '../shared/accept-sent-filters.js';

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
        try {
          const [found] = await readRunSessions(deps, loaded, selection, { signal });
          if (!found) throw new Error('expected the events of one run');
          const { run, sessions, rules } = found;
          const result = runResult({ sessions, rules, status: run.status, aggregateFunction });
          return { ...result, run_object: run };
        } catch (error) {
          const reason = signal.aborted ? undefined : reasonOf(error);
          if (reason === undefined) throw error;
          return { ...failedResult(loaded, aggregateFunction), error: reason };
        }
      },
    );
}

/**
 * Why a result cannot be computed, where the request is not to blame; undefined for other errors. A run that is too
 * large for a query and an overloaded store are errors of the route, because the client can act on them.
 */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnusableMetricsError) return error.message;
  const isUnreadable = error instanceof AppError && error.code === 'UNAVAILABLE';
  return isUnreadable ? 'the events of the run could not be read, retry the request' : undefined;
}

/** A result with empty lists. */
function failedResult({ runs }: LoadedRuns, aggregateFunction: AggregateFunction) {
  const [run] = runs;
  if (!run) throw new Error('expected one run');
  const empty = runResult({ sessions: [], rules: NO_RULES, status: run.status, aggregateFunction });
  return { ...empty, success: false, run_object: run };
}

const NO_RULES: RunRules = { metrics: new Map(), passingRanges: new Map() };
