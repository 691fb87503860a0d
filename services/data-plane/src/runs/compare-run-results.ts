import type { compareRunResults } from '@assay/contracts';
import { compareRuns, datasetWarnings, type CompareRunsInput, type RunComparison } from '@assay/domain';
import type { Operation } from '@assay/http';
import { runCooperatively, type YieldToEventLoop } from '@assay/runtime';
import { respondWhenEvaluated } from '../freshness/respond-when-evaluated.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { loadRuns, type EventSelection } from './load-runs.js';
import { acceptSentFilters } from '../shared/accept-sent-filters.js';
import {
  evaluatorsOf,
  pendingEvaluations,
  readEvaluatedRuns,
  type EvaluatedRun,
} from './read-evaluated-runs.js';

/** Compares a run with an older one. */
export function makeCompareRunResults(deps: DataPlaneDeps): Operation<typeof compareRunResults> {
  return ({ params, query }, { caller, waitMs, signal, yieldToEventLoop }) => {
    const selection = { filters: acceptSentFilters(query.filters) };
    const { aggregate_function: aggregateFunction = 'average' } = query;
    const runIds = [params.old_run_id, params.new_run_id] as const;
    return respondWhenEvaluated(
      deps,
      { waitMs, defaultMs: 0, signal },
      comparedRunsSource(deps, { projectId: caller.projectId, runIds, selection, signal }),
      async (runs) => {
        const [oldRun, newRun] = runs;
        const options = { signal, yieldToEventLoop, aggregateFunction };
        const comparison = await compareEvaluatedRuns({ oldRun, newRun }, options);
        const warnings = [...datasetWarnings(oldRun.run, newRun.run), ...absenceWarnings({ oldRun, newRun })];
        return { ...comparison, warnings, old_run: oldRun.run, new_run: newRun.run };
      },
    );
  };
}

/** Returns a sentence for each run of which listed sessions have no events. */
function absenceWarnings({ oldRun, newRun }: Record<'oldRun' | 'newRun', EvaluatedRun>): string[] {
  return Object.entries({ old: oldRun, new: newRun }).flatMap(([name, { absentSessions }]) =>
    absentSessions === 0 ? [] : [`${absentSessions} sessions that the ${name} run lists have no events`],
  );
}

interface ComparedRuns {
  readonly projectId: string;
  /** The old run and the new run. */
  readonly runIds: readonly [string, string];
  readonly selection: EventSelection;
  readonly signal: AbortSignal;
}

/** Returns how the old run and the new one are read, with their evaluations. */
export function comparedRunsSource(
  deps: DataPlaneDeps,
  { projectId, runIds, selection, signal }: ComparedRuns,
) {
  return {
    prepare: () => loadRuns(deps, projectId, runIds),
    evaluatorsOf,
    read: async (
      loaded: Awaited<ReturnType<typeof loadRuns>>,
    ): Promise<readonly [EvaluatedRun, EvaluatedRun]> => {
      const [oldRun, newRun] = await readEvaluatedRuns(deps, loaded, selection, { signal });
      if (!oldRun || !newRun) throw new Error('expected the events of two runs');
      return [oldRun, newRun];
    },
    pendingOf: pendingEvaluations,
  };
}

/** How to compare two runs. */
export interface ComparisonOptions extends Pick<
  CompareRunsInput,
  'aggregateFunction' | 'names' | 'minPairs' | 'isDirectedOnly'
> {
  readonly signal: AbortSignal;
  readonly yieldToEventLoop: YieldToEventLoop;
}

/** Compares two runs. Other requests run between the steps. */
export function compareEvaluatedRuns(
  runs: Pick<CompareRunsInput, 'oldRun' | 'newRun'>,
  { signal, yieldToEventLoop, ...options }: ComparisonOptions,
): Promise<RunComparison> {
  return runCooperatively(compareRuns({ ...runs, ...options }), () => {
    signal.throwIfAborted();
    return yieldToEventLoop();
  });
}
