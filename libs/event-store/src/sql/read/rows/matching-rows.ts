import { visible } from './visible.js';
import type { EventQuery, Filter } from '../../../event-store.js';
import type { Binder } from '../../engine/binder.js';
import { PAYLOAD_SCAN } from '../../engine/engine.js';
import { filterConditions, type FilterConditions } from '../../filter/filter-conditions.js';
import { separateFilters, totalConditions } from '../../filter/session-fields.js';
import { inRuns } from './in-runs.js';
import { ofEvents } from './of-events.js';
import { ofSessions } from './of-sessions.js';
import { exactScope, keyScope } from './scope.js';
import { isStoredId } from './stored-id.js';
import type { TableNames } from '../../schema/topology.js';

/** Names a row within its project, by the rest of the sort key. */
const ROW = '(start_hour, session_id, event_id)';
/** Holds for the events whose leaves are incomplete; the index knows them. */
export const INCOMPLETE = `has(kv, '=')`;

/** What decides which rows match a search, without its page. */
export interface MatchingRows {
  readonly projectId: string;
  readonly query: Pick<EventQuery, 'filters' | 'from' | 'to' | 'runs'>;
  /** Ids of the sessions that satisfy the filters on usage; absent without such filters. */
  readonly sessionIds?: readonly string[];
}

/** Clauses of a statement over the rows that match. */
export interface MatchingClauses {
  /** The named queries that precede the `SELECT`. */
  readonly names: string;
  /** `FROM … WHERE …` of the rows that match, to which conditions can be appended. */
  readonly source: string;
  /** The same without the conditions on payloads. */
  readonly narrowSource: string;
  /** The conditions of that. */
  readonly narrow: readonly string[];
}

/** Returns the clauses of the rows that match a search. */
export function matchingRows(
  tables: TableNames,
  { projectId, query, sessionIds }: MatchingRows,
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
    ...namedIds(stored, 'event_id').map((id) => ofEvents(tables, { projectId, eventIds: [id] }, binder)),
    ...namedIds(stored, 'session_id').map((id) =>
      ofSessions(tables, { projectId, sessionIds: [id] }, binder),
    ),
    ...filters
      .filter((filter) => !readsPayload(filter))
      .map((filter) => narrowCondition(tables, filter, rows)),
    ...totalConditions(totals, { events: visible(tables.events), projectId, scope: rows, onStored }, binder),
    ...(sessionIds ? [usageCondition(sessionIds, usage.map(onStored), binder)] : []),
    ...(query.runs ? [inRuns(tables, scope, query.runs, binder)] : []),
  ];
  const wide = filters.filter(readsPayload);
  const isNarrowed = narrow.length > rows.length;
  const where = [
    ...narrow,
    ...wide.map((filter) => payloadCondition(tables, filter, { scope: payloads, isNarrowed })),
  ].join(' AND ');
  return {
    names: wide.length === 0 ? '' : candidates(tables, narrow, rows),
    source: `FROM ${visible(tables.events)} WHERE ${where}`,
    narrowSource: `FROM ${visible(tables.events)} WHERE ${narrow.join(' AND ')}`,
    narrow,
  };
}

/** Ids of events, or of sessions, that filters ask for: they say where the rows are. */
function namedIds(filters: readonly Filter[], named: 'event_id' | 'session_id'): readonly string[] {
  return filters.flatMap(({ field, operator, type, value }) => {
    const isNamed = field === named && operator === 'is' && type === 'string' && typeof value === 'string';
    return isNamed && isStoredId(value) ? [value] : [];
  });
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
  const rows = `SELECT start_hour, session_id, event_id FROM ${visible(tables.events)} WHERE`;
  return `WITH candidates AS (${rows} ${narrow.join(' AND ')}), incomplete AS (${rows} ${[...scope, INCOMPLETE].join(' AND ')}) `;
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
  const found = `${ROW} IN (SELECT ${ROW} FROM ${visible(tables.payloads)} WHERE ${where.join(' AND ')}${PAYLOAD_SCAN})`;
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
    decided(narrow, `${ROW} IN (SELECT ${ROW} FROM ${visible(tables.events)} WHERE ${where})`),
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
