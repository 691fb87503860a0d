import type { EventChart } from '@assay/contracts';
import { fillChart, type ChartRow } from '@assay/domain';
import type { QueryOptions } from '@assay/event-store';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import type { PlannedChart } from './plan-chart.js';

/** Reads a chart from the store, with every bucket of every group. */
export async function readChart(
  { store }: Pick<DataPlaneDeps, 'store'>,
  projectId: string,
  { query, width, timezone }: PlannedChart,
  options: QueryOptions,
): Promise<EventChart> {
  const { points, total } = await store.aggregates.chart(projectId, query, options);
  const isGrouped = query.groupBy !== undefined;
  const rows = fillChart(points, query.starts, query.value.aggregation);
  return {
    events: rows.map((row) => toResponse(row, isGrouped)),
    totalEvents: total,
    bucket: width,
    from: timestamp(query.from),
    to: timestamp(query.to),
    timezone,
  };
}

function toResponse({ start, group, isRest, value, count, unpricedModels }: ChartRow, isGrouped: boolean) {
  const named = isRest ? { group: 'other', is_rest: true } : { group };
  return {
    bucket: timestamp(start),
    ...(isGrouped && named),
    value,
    ...(unpricedModels && { unpriced_models: [...unpricedModels] }),
    count,
  };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
