import type { gateRun } from '@assay/contracts';
import { gate } from '@assay/domain';
import type { Operation } from '@assay/http';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { compareLoadedRuns } from './compare-run-results.js';
import { loadRuns } from './load-runs.js';

/** Decides whether a run may replace an older one. */
export function makeGateRun(deps: DataPlaneDeps): Operation<typeof gateRun> {
  return ({ params, body }, { caller, waitMs, signal, yieldToEventLoop }) => {
    const { against, metrics: names, max_regression: maxRegression, min_pairs: minPairs } = body;
    return respondWhenCurrent(
      deps,
      waitMs,
      () => loadRuns(deps, caller.projectId, [against, params.new_run_id]),
      async (loaded, { current: isComplete }) => {
        const { comparison, newRun } = await compareLoadedRuns(deps, loaded, {
          selection: { filters: [] },
          signal,
          yieldToEventLoop,
          aggregateFunction: 'average',
          names,
          minPairs,
        });
        const { metrics } = comparison;
        return gate({ metrics, names, newStatus: newRun.status, maxRegression, minPairs, isComplete });
      },
    );
  };
}
