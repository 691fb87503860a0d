import type { Chart, ChartData, DraftQuery, NewChart } from '../api/charts.js';
import {
  isBroken,
  parseFilter,
  printFilter,
  toWireFilter,
  type FilterChip,
  type WireFilter,
} from '../url/filters.js';
import { all, first, type Search } from '../url/search.js';

export const BUCKETS = ['auto', 'minute', 'five_minute', 'hour', 'day', 'week', 'month'] as const;
export type Bucket = (typeof BUCKETS)[number];

/** Functions of charts; the server accepts further spellings of these. */
export const FUNCTIONS = [
  ...['average', 'sum', 'count', 'distinct', 'min', 'max', 'median'],
  ...['p75', 'p90', 'p95', 'p99'],
] as const;

/** What a chart shows, without its range. All of it is in the address. */
export interface Definition {
  readonly metric: string;
  /** Empty: the one that suits the metric. */
  readonly func: string;
  /** Field to group by; empty: none. */
  readonly group: string;
  readonly bucket: Bucket;
  readonly filters: readonly FilterChip[];
}

/** A session is an event too, which sums would count besides its events. */
const NO_SESSIONS: FilterChip = { field: 'event_type', operator: 'is not', value: 'session', type: 'string' };

export const NEW_DEFINITION: Definition = {
  ...{ metric: 'duration', func: 'median', group: '', bucket: 'auto', filters: [NO_SESSIONS] },
};

/** Returns the definition of an address; what it does not say is that of `base`. */
export function readDefinition(search: Search, base: Definition): Definition {
  if (first(search, 'metric') === undefined) return base;
  const bucket = first(search, 'bucket');
  return {
    metric: first(search, 'metric') ?? '',
    func: first(search, 'func') ?? '',
    group: first(search, 'group') ?? '',
    bucket: BUCKETS.find((one) => one === bucket) ?? 'auto',
    filters: all(search, 'f').map(parseFilter),
  };
}

export function printDefinition({ metric, func, group, bucket, filters }: Definition): Search {
  const text = (value: string) => (value === '' ? undefined : value);
  return { metric, func: text(func), group: text(group), bucket, f: filters.map(printFilter) };
}

/** What a chart shows, in words. */
export function describeDefinition({ metric, func, group, bucket, filters }: Definition): string {
  const groups = group === '' ? '' : ` by ${group}`;
  const time = bucket === 'auto' ? '' : ` per ${bucket.replaceAll('_', ' ')}`;
  const conditions = filters.map(printFilter).join(', ');
  return `${func === '' ? '' : `${func} of `}${metric}${groups}${time}${conditions && `; ${conditions}`}`;
}

export function definitionOf(chart: Chart): Definition {
  return {
    ...{ metric: chart.metric, func: chart.func ?? '', group: chart.groupBy ?? '', bucket: chart.bucketing },
    filters: (chart.query ?? []).map(chipOf),
  };
}

/** A saved filter as the address has it. */
function chipOf({ field, operator, value, type }: NonNullable<Chart['query']>[number]): FilterChip {
  const name = (operator ?? 'is').replaceAll(' ', '-');
  const escape = (part: string) => part.replaceAll('%', '%25').replaceAll(':', '%3A');
  if (name === 'exists' || name === 'not-exists') return parseFilter(`${escape(field)}:${name}`);
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return parseFilter([escape(field), name, escape(text), ...(type === undefined ? [] : [type])].join(':'));
}

/** Filters that could not be read are not sent. */
export const wireFiltersOf = ({ filters }: Definition): WireFilter[] =>
  filters.flatMap((chip) => (isBroken(chip) ? [] : [toWireFilter(chip)]));

export function draftQuery(
  definition: Definition,
  query: Pick<DraftQuery, 'dateRange' | 'timezone'>,
): DraftQuery {
  const { metric, func, group, bucket } = definition;
  return {
    ...{ ...query, metric: metric.trim(), bucket, filters: wireFiltersOf(definition) },
    ...(func !== '' && { aggregation: func }),
    ...(group.trim() !== '' && { groupBy: group.trim() }),
  };
}

/** The body of a request that saves a definition. */
export function bodyOf(name: string, definition: Definition): NewChart {
  const { metric, func, group, bucket } = definition;
  return {
    ...{ name: name.trim(), metric: metric.trim(), bucketing: bucket },
    ...{ func: func === '' ? null : func, groupBy: group.trim() === '' ? null : group.trim() },
    query: wireFiltersOf(definition),
  };
}

/** The same span of time before that of a chart, as a range of a request. */
export function rangeBefore({ from, to }: Pick<ChartData, 'from' | 'to'>): Record<string, string> {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return { $gte: new Date(start - (end - start)).toISOString(), $lte: new Date(start).toISOString() };
}
