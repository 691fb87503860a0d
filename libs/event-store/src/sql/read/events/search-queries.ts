import type { EventQuery } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { Query } from '../../engine/engine.js';
import { EVENT_READER } from '../rows/event-reader.js';
import { KEY_COLUMNS } from '../rows/row-key.js';
import { hourOfNewest, isSince, keyScope } from '../rows/scope.js';
import type { TableNames } from '../../schema/topology.js';
import type { MatchingRows } from '../rows/matching-rows.js';
import { matchingRows } from '../rows/matching-rows.js';

const NEWEST_FIRST = 'ORDER BY start_time DESC, toString(event_id)';

/**
 * The statements of a search: one page of keys, each with the number of matches over all pages, and that
 * number alone.
 */
export interface SearchQueries {
  readonly page: Query;
  readonly total: Query;
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

/** Returns the statement for the narrow rows of a page, in all hours, or in those of about this many newest rows. */
export function rowsQuery(tables: TableNames, search: Search, newestRows?: number): Query {
  const binder = new Binder();
  const { query, projectId } = search;
  const { names, source } = matchingRows(tables, search, binder);
  const scope = keyScope({ projectId, to: query.to }, binder);
  const inHours =
    newestRows === undefined ? '' : ` AND ${isSince(hourOfNewest(tables, scope, newestRows, binder))}`;
  const order = query.ordered ? ` ${NEWEST_FIRST}` : '';
  const bounds = `LIMIT ${binder.bind(query.limit, 'UInt64')} OFFSET ${binder.bind(query.offset, 'UInt64')}`;
  return {
    sql: `${names}SELECT ${KEY_COLUMNS}, ${EVENT_READER.narrowColumns} ${source}${inHours}${order} ${bounds}`,
    bindings: binder.bindings,
    isBinary: true,
  };
}
