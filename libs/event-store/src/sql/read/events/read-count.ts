import { MAX_BOUNDED_COUNT, type EventRowsPage } from '../../../events-port.js';
import type { QueryRunner } from '../../engine/engine.js';
import { separateFilters } from '../../filter/session-fields.js';
import type { TableNames } from '../../schema/topology.js';
import type { SpanTotal, TotalCache } from '../hints/total-cache.js';
import { eventCountQuery, spanCountQuery, type RowsSearch } from './event-rows-query.js';

/** How long after its end a span is counted again at the latest, in milliseconds: rows until then are looked at, too. */
const AHEAD_MS = 3_600_000;
/** Longest name under which a total is kept. */
const MAX_NAME = 2_000;

interface SpanRow {
  /** Matching rows of the span. */
  readonly total: number;
  /** Rows that were looked at, with those after the span. */
  readonly seen: number;
  /** First and last start of the rows of the span, and the first one after it. */
  readonly oldest: number | null;
  readonly newest: number | null;
  readonly next: number | null;
}

/**
 * Counts the matching rows over all pages. Spans such as the last seven days move between two requests: a total is kept until rows change, or
 * the span loses or gains a row.
 */
export async function readCount(
  runner: QueryRunner,
  tables: TableNames,
  search: RowsSearch,
  totals: TotalCache,
): Promise<EventRowsPage['count']> {
  const isExact = search.query.count === 'exact';
  const total = await readTotal(runner, tables, search, totals);
  const exact = isExact || total <= MAX_BOUNDED_COUNT;
  return { value: exact ? total : MAX_BOUNDED_COUNT, exact };
}

async function readTotal(
  runner: QueryRunner,
  tables: TableNames,
  search: RowsSearch,
  totals: TotalCache,
): Promise<number> {
  const plain = async () => {
    const [row] = await runner.query<{ total: number }>(eventCountQuery(tables, search));
    return Number(row?.total ?? 0);
  };
  const { filters, count, from = -Infinity, to = Infinity } = search.query;
  const name = JSON.stringify([count, to - from, filters]);
  if (!totals.isKept || !hasFixedConditions(search) || name.length > MAX_NAME) return plain();
  const read = async () => {
    const [row] = await runner.query<SpanRow>(spanCountQuery(tables, search, AHEAD_MS));
    return row === undefined ? undefined : spanTotal(row, search);
  };
  return (await totals.getOfSpan(search.projectId, name, { from, to }, read)) ?? plain();
}

/** Whether a row matches or not, whatever span is searched. */
function hasFixedConditions({ query, sessionIds }: RowsSearch): boolean {
  if (query.runs !== undefined || sessionIds !== undefined) return false;
  const { totals, usage } = separateFilters(query.filters);
  return totals.length === 0 && usage.length === 0;
}

/** Undefined when rows after the span took the places of rows in it. */
function spanTotal(
  { total, seen, oldest, newest, next }: SpanRow,
  search: RowsSearch,
): SpanTotal | undefined {
  const { from = -Infinity, to = Infinity, count } = search.query;
  const isCut = count !== 'exact' && seen > MAX_BOUNDED_COUNT;
  if (isCut && total <= MAX_BOUNDED_COUNT) return undefined;
  // Of more rows than are counted, these are enough.
  if (isCut) return { total, from: [-Infinity, oldest ?? Infinity], to: [newest ?? -Infinity, Infinity] };
  return { total, from: [from, oldest ?? Infinity], to: [to, next === null ? to + AHEAD_MS : before(next)] };
}

/** Starts are whole milliseconds or finer: a span that ends earlier does not have the row. */
const before = (start: number) => start - 1;
