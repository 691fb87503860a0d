import type { listMetricDecisions } from '@assay/contracts';
import { acceptDateRange } from '@assay/domain';
import type { Operation } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Counts the events of a metric by their newest decision. */
export function makeListMetricDecisions(deps: DataPlaneDeps): Operation<typeof listMetricDecisions> {
  return ({ params, query }, { caller, waitMs, signal }) => {
    const range = acceptDateRange(query.dateRange, deps.now());
    return respondAfterWait(deps, waitMs, async () => {
      const scope = { metricId: params.metric_id, ...range };
      const counts = await deps.store.aggregates.countDecisions(caller.projectId, scope, { signal });
      const total = counts.reduce((sum, { events }) => sum + events, 0);
      const decisions = counts.map(({ errorCodes, ...count }) => ({
        ...count,
        error_codes: { ...errorCodes },
      }));
      return { decisions, total };
    });
  };
}
