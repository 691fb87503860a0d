import { BUCKET_NAMES, type chartEvents } from '@assay/contracts';
import { acceptDateRange, acceptFilters } from '@assay/domain';
import type { Operation } from '@assay/http';
import { runFilter } from '../events/search-events.js';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import { acceptSentFilters } from '../shared/accept-sent-filters.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { planChart } from './plan-chart.js';
import { readChart } from './read-chart.js';

/** Aggregates a value of events over time. */
export function makeChartEvents(deps: DataPlaneDeps): Operation<typeof chartEvents> {
  return async ({ query }, { caller, waitMs, signal }) => {
    const now = deps.now();
    const ofRun = acceptFilters(runFilter(query.evaluation_id), 'lenient', 'evaluation_id');
    const planned = planChart(
      {
        metric: query.metric ?? 'duration',
        func: query.aggregation ?? null,
        groupBy: query.groupBy,
        bucketing: BUCKET_NAMES[query.bucket ?? 'hour'],
        range: acceptDateRange(query.dateRange, now),
        filters: [...acceptSentFilters(query.filters), ...ofRun],
        timezone: query.timezone,
        onlyRuns: query.only_experiments,
      },
      now,
      'aggregation',
    );
    return respondWhenCurrent(
      deps,
      waitMs,
      () => Promise.resolve(planned),
      (chart) => readChart(deps, caller.projectId, chart, { signal }),
    );
  };
}
