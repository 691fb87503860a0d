import type { EventQuery, Filter } from '../../event-store.js';
import { Binder } from '../engine/binder.js';
import type { Query } from '../engine/engine.js';
import { filterConditions, type FilterConditions } from '../filter/filter-conditions.js';
import { separateFilters, totalConditions } from '../filter/session-fields.js';
import { EVENT_READER } from './event-reader.js';
import { inRuns } from './of-runs.js';
import { KEY_COLUMNS } from './row-key.js';
import { exactScope, inNewestHours, keyScope, type Scope } from './scope.js';
import type { TableNames } from '../schema/topology.js';

/** Names a row within its project, by the rest of the sort key. */
const ROW = '(start_hour, session_id, event_id)';
/** Holds for the events whose leaves are incomplete; the index knows them. */
export const INCOMPLETE = `has(kv, '=')`;
const NEWEST_FIRST = 'ORDER BY start_time DESC, toString(event_id)';

/**
 * The statements of a search: one page of keys, each with the number of matches over all pages, and that
 * number alone.
 */
export interface SearchQueries {
  readonly page: Query;
  readonly total: Query;
}

/** What decides which rows match a search, without its page. */
export interface MatchingRows {
  readonly projectId: string;
  readonly query: Pick<EventQuery, 'filters' | 'from' | 'to' | 'runs'>;
  /** Leaves out rows without a payload, which costs a look at the keys of all payloads in the scope. */
  readonly withPayload: boolean;
  /** Ids of the sessions that satisfy the filters on usage; absent without such filters. */
  readonly sessionIds?: readonly string[];
}

export interface Search extends MatchingRows {
  readonly query: EventQuery;
}

/**
 * Statements for a search in one project; rows are de-duplicated (`FINAL`) before any condition is looked at.
 */
export function searchQueries(tables: TableNames, search: Search): SearchQueries {
  const binder = new Binder();
  const { query } = search;
  const { names, source } = matchingRows(tables, search, binder);
  const order = query.ordered ? ` ${NEWEST_FIRST}` : '';
  const bounds = ` LIMIT ${binder.bind(query.limit, 'UInt64')} OFFSET ${binder.bind(query.offset, 'UInt64')}`;
  return {
    page: {
      sql: `${names}SELECT ${KEY_COLUMNS}, payload_bytes, count() OVER () AS total ${source}${order}${bounds}`,
      bindings: binder.bindings,
    },
    total: { sql: `${names}SELECT count() AS total ${source}`, bindings: binder.bindings },
  };
}

/** Hours to look at: from this one on (Unix seconds), or those of about this many newest rows. */
export type HoursBound =
  | { readonly fromHour: number; readonly newestRows?: undefined }
  | { readonly newestRows: number; readonly fromHour?: undefined };

/** Returns the statement for the narrow rows of a page, in all hours unless they are bounded. */
export function rowsQuery(tables: TableNames, search: Search, bound?: HoursBound): Query {
  const binder = new Binder();
  const { query, projectId } = search;
  const { names, source } = matchingRows(tables, search, binder);
  const scope = { projectId, to: query.to };
  const inHours = bound === undefined ? '' : ` AND ${inBoundedHours(tables, scope, bound, binder)}`;
  const order = query.ordered ? ` ${NEWEST_FIRST}` : '';
  const bounds = `LIMIT ${binder.bind(query.limit, 'UInt64')} OFFSET ${binder.bind(query.offset, 'UInt64')}`;
  return {
    sql: `${names}SELECT ${KEY_COLUMNS}, ${EVENT_READER.narrowColumns} ${source}${inHours}${order} ${bounds}`,
    bindings: binder.bindings,
    isBinary: true,
  };
}

function inBoundedHours(tables: TableNames, scope: Scope, bound: HoursBound, binder: Binder): string {
  if (bound.fromHour === undefined) return inNewestHours(tables, scope, bound.newestRows, binder);
  return `start_hour >= toDateTime(${binder.bind(String(bound.fromHour), 'UInt64')}, 'UTC')`;
}

/** Rows of at most `limit` sessions that match. Filters on usage are decided by `sessionIds` alone. */
export function sessionsQuery(tables: TableNames, search: MatchingRows, limit: number): Query {
  const binder = new Binder();
  const { names, source } = matchingRows(tables, search, binder);
  const columns = `${KEY_COLUMNS}, ${EVENT_READER.narrowColumns}`;
  return {
    sql: `${names}SELECT ${columns} ${source} AND event_type = 'session' LIMIT ${binder.bind(limit, 'UInt64')}`,
    bindings: binder.bindings,
  };
}

/** Clauses of a statement over the rows that match. */
export interface MatchingClauses {
  /** The named queries that precede the `SELECT`. */
  readonly names: string;
  /** `FROM … WHERE …` of the rows that match, to which conditions can be appended. */
  readonly source: string;
  /** The same without the conditions on payloads. */
  readonly narrowSource: string;
}

/** Returns the clauses of the rows that match a search. */
export function matchingRows(
  tables: TableNames,
  { projectId, query, withPayload, sessionIds }: MatchingRows,
  binder: Binder,
): MatchingClauses {
  const scope = { projectId, from: query.from, to: query.to };
  const rows = exactScope(scope, binder);
  const payloads = keyScope(scope, binder);
  const { stored, totals, usage } = separateFilters(query.filters);
  const filters = stored.map((filter) => filterConditions(filter, binder));
  const onStored = (filter: Filter) => narrowCondition(tables, filterConditions(filter, binder), rows);
  const narrow = [
    ...rows,
    ...filters
      .filter((filter) => !readsPayload(filter))
      .map((filter) => narrowCondition(tables, filter, rows)),
    ...totalConditions(totals, { events: tables.events, projectId, scope: rows, onStored }, binder),
    ...(sessionIds ? [usageCondition(sessionIds, usage.map(onStored), binder)] : []),
    ...(query.runs ? [inRuns(tables, scope, query.runs, binder)] : []),
  ];
  const wide = filters.filter(readsPayload);
  const isNarrowed = narrow.length > rows.length;
  const where = [
    ...narrow,
    ...wide.map((filter) => payloadCondition(tables, filter, { scope: payloads, isNarrowed })),
    ...(withPayload ? [hasPayload(tables, payloads)] : []),
  ].join(' AND ');
  return {
    names: wide.length === 0 ? '' : candidates(tables, narrow, rows),
    source: `FROM ${tables.events} FINAL WHERE ${where}`,
    narrowSource: `FROM ${tables.events} FINAL WHERE ${narrow.join(' AND ')}`,
  };
}

function usageCondition(sessionIds: readonly string[], otherwise: readonly string[], binder: Binder): string {
  const ids = binder.bind(sessionIds, 'Array(UUID)');
  return `if(event_type = 'session', event_id IN ${ids}, ${otherwise.join(' AND ')})`;
}

/**
 * Payloads are looked at only for rows that satisfy everything cheaper; where the index decides, only for
 * incomplete ones.
 */
function candidates(tables: TableNames, narrow: readonly string[], scope: readonly string[]): string {
  const rows = `SELECT start_hour, session_id, event_id FROM ${tables.events} FINAL WHERE`;
  return `WITH candidates AS (${rows} ${narrow.join(' AND ')}), incomplete AS (${rows} ${[...scope, INCOMPLETE].join(' AND ')}) `;
}

function hasPayload(tables: TableNames, scope: readonly string[]): string {
  return `${ROW} IN (SELECT ${ROW} FROM ${tables.payloads} FINAL WHERE ${scope.join(' AND ')})`;
}

/** When nothing cheaper narrows the rows down, all payloads of the scope are looked at. */
function payloadCondition(
  tables: TableNames,
  { negated, narrow, exact }: FilterConditions,
  { scope, isNarrowed }: { readonly scope: readonly string[]; readonly isNarrowed: boolean },
): string {
  const looked = narrow === undefined ? 'candidates' : 'incomplete';
  const among = narrow === undefined && !isNarrowed ? [] : [`${ROW} IN (SELECT ${ROW} FROM ${looked})`];
  const where = [...scope, ...among, `${exact}`];
  const found = `${ROW} IN (SELECT ${ROW} FROM ${tables.payloads} FINAL WHERE ${where.join(' AND ')})`;
  return signed(negated, narrow === undefined ? found : decided(narrow, found));
}

function narrowCondition(
  tables: TableNames,
  { negated, narrow, exact }: FilterConditions,
  scope: readonly string[],
): string {
  if (exact === undefined || narrow === undefined) return signed(negated, `${narrow ?? exact}`);
  // In a query of its own, so that the stored text is read for the few incomplete events alone.
  const where = [...scope, INCOMPLETE, exact].join(' AND ');
  return signed(
    negated,
    decided(narrow, `${ROW} IN (SELECT ${ROW} FROM ${tables.events} FINAL WHERE ${where})`),
  );
}

function readsPayload(filter: FilterConditions): boolean {
  return filter.inPayload && filter.exact !== undefined;
}

function decided(narrow: string, exact: string): string {
  return `((complete AND ${narrow}) OR (${INCOMPLETE} AND ${exact}))`;
}

function signed(negated: boolean, condition: string): string {
  return negated ? `NOT (${condition})` : `(${condition})`;
}
