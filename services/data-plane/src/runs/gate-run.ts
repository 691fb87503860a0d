import type { gateRun } from '@assay/contracts';
import { datasetWarnings, gate, pendingOf, type GateResult } from '@assay/domain';
import type { Operation } from '@assay/http';
import { respondWhenEvaluated } from '../freshness/respond-when-evaluated.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { comparedRunsSource, compareEvaluatedRuns } from './compare-run-results.js';
import { pendingEvaluations } from './read-evaluated-runs.js';

/** Decides whether a run may replace an older one. It waits for evaluators, also without a preference of the client. */
export function makeGateRun(deps: DataPlaneDeps): Operation<typeof gateRun> {
  return ({ params, body }, { caller, waitMs, signal, yieldToEventLoop }) => {
    const { against, metrics: names, min_pairs: minPairs } = body;
    const runIds = [against, params.new_run_id] as const;
    const source = { projectId: caller.projectId, runIds, selection: { filters: [] }, signal };
    return respondWhenEvaluated(
      deps,
      { waitMs, defaultMs: deps.readAfterWriteTimeoutMs, signal },
      comparedRunsSource(deps, source),
      async (runs, { isStored, areEvaluatorsCurrent, freshness }) => {
        const [oldRun, newRun] = runs;
        const { metrics, lost_metrics: lost } = await compareEvaluatedRuns(
          { oldRun, newRun },
          { signal, yieldToEventLoop, aggregateFunction: 'average', names, minPairs, isDirectedOnly: true },
        );
        const evaluations = [oldRun.evaluations, newRun.evaluations];
        const result: GateResult = gate({
          ...{ metrics, lost, names, minPairs, areEvaluatorsCurrent },
          newStatus: newRun.run.status,
          maxRegression: body.max_regression,
          maxMissing: body.max_missing,
          maxErrors: body.max_errors,
          absentSessions: { old: oldRun.absentSessions, new: newRun.absentSessions },
          pendingOf: (name) => pendingOf(name, evaluations, newRun.rules),
          isComplete: isStored,
        });
        const warnings = datasetWarnings(oldRun.run, newRun.run);
        return { ...result, warnings, pending: pendingEvaluations(runs), freshness };
      },
    );
  };
}
