import {
  acceptChartMeasure,
  chartBuckets,
  checkChartGroup,
  type Bucketing,
  type BucketWidth,
  type ChartMeasure,
  type DateRange,
  type Filter,
} from '@assay/domain';
import type { ChartQuery } from '@assay/event-store';

/** A chart in a request. */
export interface RequestedChart extends ChartMeasure {
  readonly groupBy?: string;
  readonly bucketing: Bucketing;
  /** An open end is now, an open start is 7 days before the end. */
  readonly range: DateRange;
  readonly filters: readonly Filter[];
  readonly timezone?: string;
}

/** A chart that can be read: all parts are valid, and the number of points is bounded. */
export interface PlannedChart {
  readonly query: ChartQuery;
  readonly width: BucketWidth;
  readonly timezone: string;
}

const DEFAULT_RANGE_MS = 7 * 86_400_000;
/** Points of a response: buckets times groups. */
const MAX_POINTS = 20_000;
const MAX_GROUPS = 50;

/**
 * Checks a chart. `funcName` is what the request calls the function, `now` is Unix milliseconds.
 * @throws AppError `VALIDATION_ERROR` naming the invalid part, also for too many buckets
 */
export function planChart(chart: RequestedChart, now: number, funcName: string): PlannedChart {
  const { groupBy, bucketing, range, filters, timezone = 'UTC' } = chart;
  const value = acceptChartMeasure(chart, funcName);
  if (groupBy !== undefined) checkChartGroup(groupBy);
  const to = range.to ?? Math.max(now, range.from ?? 0);
  const from = range.from ?? Math.max(0, to - DEFAULT_RANGE_MS);
  const { width, starts } = chartBuckets({ bucketing, from, to, timezone });
  const maxGroups = Math.min(
    MAX_GROUPS,
    Math.max(1, Math.floor(MAX_POINTS / Math.max(1, starts.length)) - 1),
  );
  return {
    query: { filters, from, to, starts, value, maxGroups, ...(groupBy !== undefined && { groupBy }) },
    width,
    timezone,
  };
}
