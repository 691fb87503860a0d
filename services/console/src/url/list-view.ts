import { parseFilter, printFilter, type FilterChip } from './filters.js';
import { all, first, type Search } from './search.js';

/** A relative range such as `7d`, or the moments of both ends. */
export type Range = string | { readonly from: string; readonly to: string };

export interface Sort {
  readonly field: string;
  readonly order: 'asc' | 'desc';
}

/** All that a person chooses in a list. The address has it, and nothing else has. */
export interface ListView {
  readonly filters: readonly FilterChip[];
  readonly range: Range;
  readonly sort: Sort;
  /** Columns besides those that every list has. */
  readonly columns: readonly string[];
  readonly live: boolean;
}

export const DEFAULT_RANGE = '7d';
export const DEFAULT_SORT: Sort = { field: 'start_time', order: 'desc' };
/** Ranges that the menu offers. */
export const RANGES = ['15m', '1h', '24h', '7d', '30d', '1y'] as const;
/** More columns than a request may name do not fit on a screen either. */
export const MAX_COLUMNS = 20;
/** As many conditions as a list shows without a second row of a wide screen, several times. */
export const MAX_FILTERS = 30;

export function readListView(search: Search): ListView {
  return {
    filters: all(search, 'f').slice(0, MAX_FILTERS).map(parseFilter),
    range: readRange(search),
    sort: readSort(first(search, 'sort')),
    columns: readColumns(first(search, 'cols')),
    live: first(search, 'live') === '1',
  };
}

/** Returns the query of a view. What is as by default is left out. */
export function printListView({ filters, range, sort, columns, live }: ListView): Search {
  const isRelative = typeof range === 'string';
  const isDefaultSort = sort.field === DEFAULT_SORT.field && sort.order === DEFAULT_SORT.order;
  return {
    f: filters.length === 0 ? undefined : filters.map(printFilter),
    range: isRelative && range !== DEFAULT_RANGE ? range : undefined,
    from: isRelative ? undefined : range.from,
    to: isRelative ? undefined : range.to,
    sort: isDefaultSort ? undefined : `${sort.order === 'desc' ? '-' : ''}${sort.field}`,
    cols: columns.length === 0 ? undefined : columns.map(encodeURIComponent).join(','),
    live: live ? '1' : undefined,
  };
}

/** Returns the range of a request. */
export const toDateRange = (range: Range): string | Record<string, string> =>
  typeof range === 'string' ? range : { $gte: range.from, $lte: range.to };

function readRange(search: Search): Range {
  const [from, to] = [first(search, 'from'), first(search, 'to')];
  if (from !== undefined && to !== undefined && isTime(from) && isTime(to)) return { from, to };
  const range = first(search, 'range');
  return range !== undefined && /^\d{1,6}(?:m|h|d|w|mo|y)$/.test(range) ? range : DEFAULT_RANGE;
}

const isTime = (text: string) => Number.isFinite(Date.parse(text));

function readSort(text: string | undefined): Sort {
  const [, sign = '', field] = /^(-?)([^]{1,200})$/.exec(text ?? '') ?? [];
  return field === undefined ? DEFAULT_SORT : { field, order: sign === '-' ? 'desc' : 'asc' };
}

function readColumns(text: string | undefined): readonly string[] {
  const columns = (text ?? '').split(',').flatMap((part) => {
    try {
      return part === '' ? [] : [decodeURIComponent(part)];
    } catch {
      return [];
    }
  });
  return [...new Set(columns)].slice(0, MAX_COLUMNS);
}
