import { visible } from '../rows/visible.js';
import type { EventPosition, EventSort } from '@assay/domain';
import { MAX_BOUNDED_COUNT, type EventRowsQuery } from '../../../events-port.js';
import { Binder } from '../../engine/binder.js';
import type { Query } from '../../engine/engine.js';
import { derivedValues, type SessionUsage } from '../../filter/derived-values.js';
import { numberAt } from '../../filter/number-at.js';
import type { TableNames } from '../../schema/topology.js';
import { KEY_COLUMNS } from '../rows/row-key.js';
import { hourOfNewest, isSince, keyScope } from '../rows/scope.js';
import { matchingRows, type MatchingRows } from '../rows/matching-rows.js';

/** The search of a page, with the bounds that its position adds. */
export interface RowsSearch extends MatchingRows {
  readonly query: EventRowsQuery;
  /** Usage of the matching sessions, when the page is sorted by it. */
  readonly usage?: SessionUsage;
}

/** Among how many newest rows of the project, in all versions, a page is looked for; `areMatching`: of those that match. */
export interface NewestRows {
  readonly count: number;
  readonly areMatching: boolean;
}

/**
 * Keys of one page, each with the number that it is sorted by, and one key more when another page follows.
 * @param newest look only at the hours of about these rows, and tell whether these were all; absent: at all hours
 */
export function eventKeysQuery(tables: TableNames, search: RowsSearch, newest?: NewestRows): Query {
  const binder = new Binder();
  const { query } = search;
  const { sort, after, since, limit } = query;
  const bounded = boundedByPosition(query);
  const { names, source, narrowSource, narrow } = matchingRows(tables, { ...search, query: bounded }, binder);
  const { projectId, usage } = search;
  const { to, filters } = bounded;
  const hourOf = ({ count, areMatching }: NewestRows) =>
    hourOfNewest(tables, areMatching ? narrow : keyScope({ projectId, to }, binder), count, binder);
  const hour = newest && hourOf(newest);
  const conditions = [
    ...(hour === undefined ? [] : [isSince(hour)]),
    ...(since ? [`toString(event_id) NOT IN ${binder.texts(since.eventIds)}`] : []),
  ];
  const where = conditions.map((condition) => ` AND ${condition}`).join('');
  const deriving = { events: visible(tables.events), projectId, filters, source: narrowSource, usage };
  const derived = derivedValues([sort.field], deriving, binder);
  const stored = `SELECT ${KEY_COLUMNS}, ${numberAt(sort.field, binder)} AS stored_value${derived.columns} ${source}${where}`;
  const direction = sort.order === 'asc' ? 'ASC' : 'DESC';
  return {
    sql:
      `${names}SELECT key_event, key_session, key_hour, ${derived.number(sort.field, 'stored_value')} AS sort_value${hour === undefined ? '' : `, isNull(${hour}) AS is_whole`} ` +
      `FROM (${stored}) AS e${derived.joins}${after ? ` WHERE ${follows(sort, after, binder)}` : ''} ` +
      `ORDER BY sort_value ${direction} NULLS LAST, key_event LIMIT ${binder.bind(String(limit + 1), 'UInt64')}`,
    bindings: binder.bindings,
  };
}

/** Number of matching rows over all pages, at most one more than {@link MAX_BOUNDED_COUNT} unless it is exact. */
export function eventCountQuery(tables: TableNames, search: RowsSearch): Query {
  const binder = new Binder();
  const { names, source } = matchingRows(tables, search, binder);
  const bounded = `(SELECT 1 ${source} LIMIT ${MAX_BOUNDED_COUNT + 1})`;
  return {
    sql:
      search.query.count === 'exact'
        ? `${names}SELECT count() AS total ${source}`
        : `${names}SELECT count() AS total FROM ${bounded}`,
    bindings: binder.bindings,
  };
}

/**
 * As {@link eventCountQuery}, with the bounds of the span in which the number is the same: `oldest` and `newest` start of the rows that are
 * counted, and the `next` one within `aheadMs` after the span, null when there is none; `seen` counts these rows, too.
 */
export function spanCountQuery(tables: TableNames, search: RowsSearch, aheadMs: number): Query {
  const binder = new Binder();
  const { query } = search;
  const { to } = query;
  const ahead = to === undefined ? query : { ...query, to: to + aheadMs };
  const { names, source } = matchingRows(tables, { ...search, query: ahead }, binder);
  const isInside = to === undefined ? '1' : `start_time <= ${binder.number(to)}`;
  const limit = query.count === 'exact' ? '' : ` LIMIT ${MAX_BOUNDED_COUNT + 1}`;
  const columns = [
    'countIf(inside) AS total, count() AS seen',
    'minOrNullIf(start, inside) AS oldest, maxOrNullIf(start, inside) AS newest',
    'minOrNullIf(start, NOT inside) AS next',
  ].join(', ');
  return {
    sql: `${names}SELECT ${columns} FROM (SELECT start_time AS start, ${isInside} AS inside ${source}${limit})`,
    bindings: binder.bindings,
  };
}

/** Bounds of the start time that follow from the position of a page, so that the sort key excludes other rows. */
function boundedByPosition(query: EventRowsQuery): EventRowsQuery {
  const { sort, after, since } = query;
  const reached = sort.field === 'start_time' ? (after?.value ?? undefined) : undefined;
  const lower = [query.from, since?.startTime, sort.order === 'asc' ? reached : undefined];
  const upper = [query.to, sort.order === 'desc' ? reached : undefined];
  const from = Math.max(-Infinity, ...lower.filter((bound) => bound !== undefined));
  const to = Math.min(Infinity, ...upper.filter((bound) => bound !== undefined));
  return {
    ...query,
    from: Number.isFinite(from) ? from : undefined,
    to: Number.isFinite(to) ? to : undefined,
  };
}

/** Whether a row comes after a position. Rows without the number come last, by their ids. */
function follows({ order }: EventSort, { value, eventId }: EventPosition, binder: Binder): string {
  const isLaterId = `key_event > ${binder.text(eventId)}`;
  if (value === null) return `(isNull(sort_value) AND ${isLaterId})`;
  const number = binder.number(value);
  const comparison = order === 'asc' ? '>' : '<';
  return `ifNull(sort_value ${comparison} ${number} OR (sort_value = ${number} AND ${isLaterId}), 1)`;
}
