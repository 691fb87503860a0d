import type { RowVersion } from '../../../event-store.js';
import type { Binder } from '../../engine/binder.js';
import type { Query, QueryRunner } from '../../engine/engine.js';
import { isResultTooLarge } from '../../engine/engine-failure.js';
import { groupBySession } from './group-by-session.js';
import { hasSameKey, KEY_COLUMNS, rowKeyText, type RowKey } from './row-key.js';

/** A version of a row, as a statement without `FINAL` returns it. */
export interface RowOfVersion extends RowKey {
  readonly version: RowVersion;
  /** 1: the row is deleted from this version on. */
  readonly is_deleted: number;
}

/** Which rows of a table to read. */
export interface FewRows {
  readonly table: string;
  /** What to select besides the key; `version` has to be among it. */
  readonly columns: string;
  /** A condition on the sort key, which all versions of a row share. */
  readonly onKey: string;
  readonly binder: Binder;
  /** Rows of the result at most, in all versions. */
  readonly maxRows: number;
}

/**
 * Reads the visible rows that satisfy a condition on the sort key, in any order. `FINAL` would be a third of such a
 * statement, so all versions are read, and the newest ones are chosen here. Undefined when that is not possible: there
 * are more rows, they are too large together, or two versions are equal, of which the one that was inserted last counts.
 */
export async function readFewRows<Row extends RowKey>(
  runner: QueryRunner,
  rows: FewRows,
): Promise<Row[] | undefined> {
  try {
    const read = await runner.query<Row & RowOfVersion>(versionsQuery(rows));
    return read.length > rows.maxRows ? undefined : newestVersions(read);
  } catch (error) {
    if (isResultTooLarge(error)) return undefined;
    throw error;
  }
}

/** Which rows of several sessions to read; `maxRows` is of each of them. */
export interface FewRowsOfSessions extends FewRows {
  readonly sessionIds: readonly string[];
}

/** The rows of sessions, of those that have few. */
export interface SmallSessions<Row> {
  /** A session without any row is absent. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Sessions whose rows are not known. */
  readonly left: readonly string[];
}

/** As {@link readFewRows}, of each of several sessions. */
export async function readSmallSessions<Row extends RowKey>(
  runner: QueryRunner,
  sessions: FewRowsOfSessions,
): Promise<SmallSessions<Row>> {
  const { sessionIds, maxRows } = sessions;
  const rows = new Map<string, Row[]>();
  try {
    const read = await runner.query<Row & RowOfVersion>(versionsQuery(sessions, 'session_id'));
    const left = [...groupBySession(read)].flatMap(([id, versions]) => {
      const newest = versions.length > maxRows ? undefined : newestVersions(versions);
      if (newest !== undefined) rows.set(id, newest);
      return newest === undefined ? [id] : [];
    });
    return { rows, left };
  } catch (error) {
    if (isResultTooLarge(error)) return { rows, left: sessionIds };
    throw error;
  }
}

/** @param each a column: so many rows of each of its values */
function versionsQuery({ table, columns, onKey, binder, maxRows }: FewRows, each?: string): Query {
  return {
    sql:
      `SELECT ${KEY_COLUMNS}, ${columns}, is_deleted FROM ${table} PREWHERE ${onKey} ` +
      `LIMIT ${binder.bind(String(maxRows + 1), 'UInt64')}${each === undefined ? '' : ` BY ${each}`}`,
    bindings: binder.bindings,
    isBinary: true,
  };
}

/** The rows that are not deleted in their newest version; undefined when a row has two newest versions. */
export function newestVersions<Row extends RowOfVersion>(rows: readonly Row[]): Row[] | undefined {
  const newest = new Map<string, Row>();
  const repeated = new Set<string>();
  for (const row of rows) {
    // Nearly all events are in one location, and a text for each key takes longer than the rest.
    const first = newest.get(row.key_event);
    const key = first === undefined || hasSameKey(first, row) ? row.key_event : rowKeyText(row);
    const version = newest.get(key)?.version;
    if (version === row.version) repeated.add(key);
    if (version !== undefined && version >= row.version) continue;
    newest.set(key, row);
    repeated.delete(key);
  }
  return repeated.size > 0 ? undefined : [...newest.values()].filter((row) => row.is_deleted === 0);
}
