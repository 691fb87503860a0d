import type { ChartAggregation } from './chart-measure.js';

/** What is known of one group in one bucket. */
export interface ChartPoint {
  /** Start of the bucket, Unix milliseconds. */
  readonly start: number;
  /** Text of the field to group by; empty for events without it, and without a grouping. */
  readonly group: string;
  /** Whether the point is of all groups beyond the largest ones. */
  readonly isRest: boolean;
  /** Aggregate of the values; null without a value, and when one of them is an unknown cost. */
  readonly value: number | null;
  /** The models of the costs that are unknown, as `listUnpriced` returns them; absent when there is none. */
  readonly unpricedModels?: readonly string[];
  /** Number of events. */
  readonly count: number;
}

/** A row of a chart. */
export type ChartRow = ChartPoint;

/**
 * Adds a point for every bucket in which a group has no event: 0 for counts and sums; null otherwise, because nothing
 * has no average. Groups are ordered by their number of events, then by name, the rest last; each by bucket. Without
 * any event one group without a name has all buckets.
 */
export function fillChart(
  points: readonly ChartPoint[],
  starts: readonly number[],
  { kind }: ChartAggregation,
): ChartRow[] {
  const value = kind === 'count' || kind === 'distinct' || kind === 'sum' ? 0 : null;
  const groups = groupsOf(points);
  return groups.flatMap(({ group, isRest, byStart }) =>
    starts.map((start) => byStart.get(start) ?? { start, group, isRest, value, count: 0 }),
  );
}

interface Group {
  readonly group: string;
  readonly isRest: boolean;
  readonly byStart: Map<number, ChartPoint>;
  count: number;
}

function groupsOf(points: readonly ChartPoint[]): Group[] {
  const groups = new Map<string, Group>();
  for (const point of points) {
    const { group, isRest } = point;
    const key = `${Number(isRest)}${group}`;
    const found = groups.get(key) ?? { group, isRest, byStart: new Map<number, ChartPoint>(), count: 0 };
    found.byStart.set(point.start, point);
    found.count += point.count;
    groups.set(key, found);
  }
  if (groups.size === 0) return [{ group: '', isRest: false, byStart: new Map(), count: 0 }];
  return [...groups.values()].sort(
    (a, b) =>
      Number(a.isRest) - Number(b.isRest) ||
      b.count - a.count ||
      (a.group < b.group ? -1 : Number(a.group > b.group)),
  );
}
