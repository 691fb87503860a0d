import type { ChartData, ChartRow } from '../api/charts.js';
import { printName } from '../format/name.js';

/** The values of one group over all buckets. */
export interface Series {
  readonly name: string;
  readonly isRest: boolean;
  /** One for each bucket; null: it has none. */
  readonly values: readonly (number | null)[];
  /** Rows of the same buckets. */
  readonly rows: readonly (ChartRow | undefined)[];
}

export interface SeriesOfChart {
  /** Starts of the buckets, Unix milliseconds, ascending. */
  readonly starts: readonly number[];
  readonly series: readonly Series[];
}

/** Returns the rows of a chart by their group, the largest first, as the server has ordered them. */
export function seriesOf({ events }: Pick<ChartData, 'events'>): SeriesOfChart {
  const buckets = [...new Set(events.map(({ bucket }) => bucket))].sort();
  const indexOf = new Map(buckets.map((bucket, index) => [bucket, index]));
  const groups = new Map<string, (ChartRow | undefined)[]>();
  for (const row of events) {
    const key = `${row.is_rest === true ? 'rest' : 'group'} ${row.group ?? ''}`;
    const rows = groups.get(key) ?? new Array<ChartRow | undefined>(buckets.length).fill(undefined);
    groups.set(key, rows);
    rows[indexOf.get(row.bucket) ?? 0] = row;
  }
  const series = [...groups.values()].map((rows) => {
    const one = rows.find((row) => row !== undefined);
    return {
      ...{ name: one?.group ?? '', isRest: one?.is_rest === true, rows },
      values: rows.map((row) => row?.value ?? null),
    };
  });
  return { starts: buckets.map((bucket) => Date.parse(bucket)), series };
}

/** Returns the end of a bucket, Unix milliseconds: a moment before the next one, or the end of the range. */
export function endOfBucket(starts: readonly number[], index: number, to: string): number {
  const next = starts[index + 1];
  return next === undefined ? Date.parse(to) : next - 1;
}

/** Returns the name of a series for people. */
export function nameOf({ name, isRest }: Pick<Series, 'name' | 'isRest'>): string {
  if (isRest) return 'all others';
  return name === '' ? 'without a value' : printName(name);
}
