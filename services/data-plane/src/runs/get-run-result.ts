import type { getRunResult, getRunSummary, ResponseOf, RunResponse } from '@assay/contracts';
import {
  AGGREGATE_FUNCTIONS,
  classifiedNames,
  runResult,
  sessionsWithGroundTruths,
  type AggregateFunction,
  type Caller,
  type GroundTruths,
  type RunResult,
  type RunRules,
} from '@assay/domain';
import { AppError } from '@assay/errors';
import { streamJson, type Operation, type RequestContext } from '@assay/http';
import { respondWhenEvaluated } from '../freshness/respond-when-evaluated.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { encodeDatapoints } from './encode-datapoints.js';
import { loadRuns, UnusableMetricsError, type EventSelection, type LoadedRuns } from './load-runs.js';
import { acceptSentFilters } from '../shared/accept-sent-filters.js';
import {
  evaluatorsOf,
  pendingEvaluations,
  readEvaluatedRuns,
  type EvaluatedRun,
} from './read-evaluated-runs.js';

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
    respondWhenEvaluated(
      deps,
      { waitMs, defaultMs: 0, signal },
      {
        prepare: () => loadRuns(deps, caller.projectId, [runId]),
        evaluatorsOf,
        read: (loaded) => readOne(deps, loaded, selection, signal),
        pendingOf: ({ run }) => (run ? pendingEvaluations([run]) : 0),
      },
      ({ run: found, reason }, { areEvaluatorsCurrent }, loaded) => {
        if (!found)
          return Promise.resolve(toBody({ ...failedResult(loaded, aggregateFunction), error: reason }));
        const { run, ...events } = found;
        const result = runResult({ ...events, status: run.status, aggregateFunction, areEvaluatorsCurrent });
        return Promise.resolve(toBody({ ...result, run_object: run }));
      },
    );
}

/** A run can have 100,000 datapoints, which are most of the response. */
function toBody(result: RunResult & { readonly run_object: RunResponse }) {
  return streamJson<ResponseOf<typeof getRunResult>>({
    ...result,
    datapoints: encodeDatapoints(result.datapoints),
  });
}

type ReadRun =
  | {
      readonly run: EvaluatedRun & { readonly groundTruths: GroundTruths };
      readonly reason?: undefined;
    }
  | { readonly run?: undefined; readonly reason: string };

/** Reads one run, or the reason for which its result cannot be computed. */
async function readOne(
  deps: DataPlaneDeps,
  loaded: LoadedRuns,
  selection: EventSelection,
  signal: AbortSignal,
): Promise<ReadRun> {
  try {
    const selected = { ...selection, findGroundTruths: true };
    const [run] = await readEvaluatedRuns(deps, loaded, selected, { signal });
    if (!run) throw new Error('expected the events of one run');
    const names = classifiedNames(run.sessions, run.rules);
    const query = { sessionIds: sessionsWithGroundTruths(run.sessions), names };
    const groundTruths = await deps.store.aggregates.groundTruths(loaded.projectId, query, { signal });
    return { run: { ...run, groundTruths } };
  } catch (error) {
    const reason = signal.aborted ? undefined : reasonOf(error);
    if (reason === undefined) throw error;
    return { reason };
  }
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
