import type { compareRunResults, compareRunResultsWith } from '@assay/contracts';
import { compareRuns, type CompareRunsInput, type RunComparison } from '@assay/domain';
import type { Operation } from '@assay/http';
import { runCooperatively, type YieldToEventLoop } from '@assay/runtime';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { loadRuns, readRunSessions, type EventSelection, type LoadedRuns } from './load-runs.js';
import { acceptSentFilters } from '../shared/accept-sent-filters.js';

/** Compares a run with an older one. */
export function makeCompareRunResults(
  deps: DataPlaneDeps,
): Operation<typeof compareRunResults> & Operation<typeof compareRunResultsWith> {
  return ({ params, query }, { caller, waitMs, signal, yieldToEventLoop }) => {
    const selection = { filters: acceptSentFilters(query.filters) };
    const { aggregate_function: aggregateFunction = 'average' } = query;
    return respondWhenCurrent(
      deps,
      waitMs,
      () => loadRuns(deps, caller.projectId, [params.old_run_id, params.new_run_id]),
      async (loaded) => {
        const compared = await compareLoadedRuns(deps, loaded, {
          selection,
          signal,
          yieldToEventLoop,
          aggregateFunction,
        });
        return { ...compared.comparison, old_run: compared.oldRun, new_run: compared.newRun };
      },
    );
  };
}

/** How to compare two runs. */
export interface ComparisonOptions extends Pick<
  CompareRunsInput,
  'aggregateFunction' | 'names' | 'minPairs'
> {
  readonly selection: EventSelection;
  readonly signal: AbortSignal;
  readonly yieldToEventLoop: YieldToEventLoop;
}

/** Compares the old run and the new run, loaded in this order. Other requests run between the steps. */
export async function compareLoadedRuns(
  deps: DataPlaneDeps,
  loaded: LoadedRuns,
  { selection, signal, yieldToEventLoop, ...options }: ComparisonOptions,
) {
  const [oldRun, newRun] = await readRunSessions(deps, loaded, selection, { signal });
  if (!oldRun || !newRun) throw new Error('expected the events of two runs');
  const comparison: RunComparison = await runCooperatively(
    compareRuns({ oldRun, newRun, ...options }),
    () => {
      signal.throwIfAborted();
      return yieldToEventLoop();
    },
  );
  return { comparison, oldRun: oldRun.run, newRun: newRun.run };
}
