import { BUCKET_NAMES, type chartEvents, type ChartEventsQuery } from '@assay/contracts';
import { acceptDateRange, checkChartPaths } from '@assay/domain';
import type { RunMembers } from '@assay/event-store';
import type { Operation } from '@assay/http';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import { acceptSentFilters } from '../shared/accept-sent-filters.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { membersOfRun, membersOfRuns } from '../shared/run-members.js';
import { planChart, type PlannedChart } from './plan-chart.js';
import { readChart } from './read-chart.js';

/** Aggregates a value of events over time. */
export function makeChartEvents(deps: DataPlaneDeps): Operation<typeof chartEvents> {
  return async ({ query }, { caller, waitMs, signal }) => {
    const now = deps.now();
    checkChartPaths(query);
    const planned = planChart(
      {
        metric: query.metric ?? 'duration',
        func: query.aggregation ?? null,
        groupBy: query.groupBy,
        bucketing: BUCKET_NAMES[query.bucket ?? 'hour'],
        range: acceptDateRange(query.dateRange, now, query.timezone),
        filters: acceptSentFilters(query.filters),
        timezone: query.timezone,
      },
      now,
      'aggregation',
    );
    const ofRuns = async (): Promise<PlannedChart> => {
      const runs = await membersOf(deps, caller.projectId, query);
      return { ...planned, query: { ...planned.query, ...(runs && { runs }) } };
    };
    return respondWhenCurrent(deps, waitMs, ofRuns, (chart) =>
      readChart(deps, caller.projectId, chart, { signal }),
    );
  };
}

/** A named run is one of the runs that `only_experiments` means. */
async function membersOf(
  deps: DataPlaneDeps,
  projectId: string,
  { evaluation_id: runId, only_experiments: isOfRuns }: ChartEventsQuery,
): Promise<RunMembers | undefined> {
  if (runId !== undefined) return membersOfRun(deps, projectId, runId);
  return isOfRuns ? membersOfRuns(deps, projectId) : undefined;
}
