import type { EventPage, EventQuery } from '../../../event-store.js';
import type { ConcurrentRunner, QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { count } from '../rows/count.js';
import { unlessTooLarge } from '../rows/in-side-lane.js';
import type { EventFacts } from '../sessions/event-facts.js';
import type { NarrowRow } from '../rows/event-reader.js';
import type { Hints } from '../hints/hints.js';
import { fetchPageOfRows, type FetchedPage } from './fetch-page.js';
import { readNarrowRowsOf } from '../rows/read-by-keys.js';
import { isStoredId } from '../rows/stored-id.js';
import { readFactsOfSession } from '../sessions/rows-of-session.js';
import { rowsQuery, searchQueries, type Search } from './search-queries.js';

/** Deepest page that is looked for in the newest hours first, in rows. */
const MAX_ROWS = 20_000;
/** Rows beyond the page among which it is looked for: some of the newest ones are old versions or deleted. */
const MORE_ROWS = 2_000;
/** Deepest page that is read with one thread while its matches are counted, in rows. */
const MAX_ROWS_BESIDE = 1_000;

export interface RowsPage {
  readonly search: Search;
  readonly hints: Pick<Hints, 'totals'>;
  /** Bound on the payloads of the page together. */
  readonly maxBytes: number;
  /** Whether to read what is derived for the events, too. */
  readonly withDerived?: boolean;
  /** Whether the rows of a large page may be returned instead of its events. */
  readonly mayHold?: boolean;
}

/** A page of a search, or what its events are made of. */
export type FoundPage = EventPage & Pick<FetchedPage, 'held'>;

interface Rows {
  readonly rows: readonly NarrowRow[];
  readonly total: number;
  /** Whether these are nearly all rows between the first hour and the last one of their sessions. */
  readonly areDense?: boolean;
  /** All rows of the sessions of the page, when they are known. */
  readonly sessions?: readonly EventFacts[];
}

/**
 * Reads a page of a search whose rows are found without looking at most others, in three statements at most: the narrow
 * rows, their payloads, and the number of all matches. Undefined for other searches, which count and select in one scan.
 * The page is not full when some of its rows were moved or deleted meanwhile.
 */
export async function readRowsPage(
  runner: ConcurrentRunner,
  tables: TableNames,
  { search, hints, maxBytes, withDerived, mayHold }: RowsPage,
): Promise<{ page: FoundPage; isFull: boolean } | undefined> {
  const { query, projectId } = search;
  const found =
    (await readRowsOfId(runner, tables, search)) ??
    (namesKeys(query)
      ? await readNamedRows(runner, tables, search)
      : await readNewestRows(runner, tables, { search, hints }));
  if (found === undefined) return undefined;
  const { rows, total, ...known } = found;
  const asked = { projectId, keys: rows, maxBytes, withDerived, mayHold, ...known };
  const page = await fetchPageOfRows(runner, tables, asked);
  return { page: { ...page, total }, isFull: isFull(page, rows.length) };
}

/** Whether no event of a page is missing. */
export function isFull({ events, held }: FetchedPage, length: number): boolean {
  return (held?.payloads.size ?? events.length) === length;
}

/**
 * The first page of an event or a small session that is searched for by its id alone; undefined for other searches, and for those
 * in any order, whose pages have that of the engine.
 */
async function readRowsOfId(
  runner: QueryRunner,
  tables: TableNames,
  { projectId, query }: Search,
): Promise<Rows | undefined> {
  const { filters, runs, from, to, offset, limit, ordered } = query;
  const [filter, ...others] = filters;
  const { field, operator, type, value } = filter ?? {};
  const isUnbounded = from === undefined && to === undefined && runs === undefined;
  const isAlone = ordered && others.length === 0 && isUnbounded && offset === 0;
  if (!isAlone || operator !== 'is' || type !== 'string') return undefined;
  if (typeof value !== 'string' || !isStoredId(value)) return undefined;
  if (field === 'event_id') {
    const found = await readNarrowRowsOf(runner, tables, projectId, value);
    return { rows: found.sort(newestFirst).slice(0, limit), total: found.length };
  }
  if (field !== 'session_id') return undefined;
  const sessions = await readFactsOfSession(runner, tables, { projectId, sessionId: value });
  if (sessions === undefined) return undefined;
  const rows = sessions.toSorted(newestFirst).slice(0, limit);
  return { rows, total: sessions.length, sessions, areDense: rows.length === sessions.length };
}

function newestFirst(one: NarrowRow, other: NarrowRow): number {
  return other.start_time - one.start_time || (one.key_event < other.key_event ? -1 : 1);
}

/** Whether a filter names the sessions or the events, so that the index of their ids finds the rows. */
function namesKeys({ filters }: EventQuery): boolean {
  return filters.some(
    ({ field, operator, type }) =>
      (field === 'session_id' || field === 'event_id') &&
      type === 'string' &&
      (operator === 'is' || operator === 'in'),
  );
}

async function readNamedRows(runner: QueryRunner, tables: TableNames, search: Search): Promise<Rows> {
  const { offset, limit } = search.query;
  const rows = await runner.query<NarrowRow>(rowsQuery(tables, search));
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
  const total = isLast ? offset + rows.length : await count(runner, searchQueries(tables, search).total);
  return { rows, total };
}

/**
 * Rows without a filter, among the hours of the newest ones; undefined when these do not fill the page. They are read while all matches
 * are counted, unless their number is known.
 */
async function readNewestRows(
  runner: ConcurrentRunner,
  tables: TableNames,
  { search, hints: { totals } }: Omit<RowsPage, 'maxBytes'>,
): Promise<Rows | undefined> {
  const { projectId, query } = search;
  const { filters, runs, ordered, offset, limit, from, to } = query;
  if (!ordered || filters.length > 0 || runs !== undefined || offset + limit > MAX_ROWS) return undefined;
  const newestRows = 2 * (offset + limit) + MORE_ROWS;
  const readIn = (lane: QueryRunner) => lane.query<NarrowRow>(rowsQuery(tables, search, newestRows));
  const span = `${from}-${to}`;
  const countAll = (lane: QueryRunner) =>
    totals.get(projectId, span, () => count(lane, searchQueries(tables, search).total));
  const isBeside = offset + limit <= MAX_ROWS_BESIDE && !totals.has(projectId, span);
  const [total, firstRows] = isBeside
    ? await runner.concurrently(countAll, (side) => unlessTooLarge(readIn(side)))
    : [await countAll(runner)];
  // The side lane has less memory: what needs more is read again in the main lane.
  const rows = firstRows ?? (await readIn(runner));
  const isWhole = rows.length === Math.min(limit, Math.max(0, total - offset));
  return isWhole ? { rows, total, areDense: true } : undefined;
}
