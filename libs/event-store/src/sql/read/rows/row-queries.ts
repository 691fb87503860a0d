import { visible } from './visible.js';
import { Binder } from '../../engine/binder.js';
import type { Query } from '../../engine/engine.js';
import { EVENT_READER } from './event-reader.js';
import { ofEvents } from './of-events.js';
import { KEY_COLUMNS, type RowKey } from './row-key.js';
import type { TableNames } from '../../schema/topology.js';

const { narrowColumns: NARROW_COLUMNS, payloadColumns: PAYLOAD_COLUMNS } = EVENT_READER;

/** Narrow rows by event id. */
export function narrowRowsById(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  return narrowById(tables, NARROW_COLUMNS, projectId, eventIds);
}

/** Columns of narrow rows, by event id. */
export function narrowById(
  tables: TableNames,
  columns: string,
  projectId: string,
  eventIds: readonly string[],
): Query {
  const binder = new Binder();
  const onKey = ofEvents(tables, { projectId, eventIds }, binder);
  return {
    sql: `SELECT ${KEY_COLUMNS}, ${columns} FROM ${visible(tables.events)} PREWHERE ${onKey}`,
    bindings: binder.bindings,
  };
}

/** Payload rows by their keys. */
export function payloadRows(tables: TableNames, projectId: string, keys: readonly RowKey[]): Query {
  return byKeys(tables.payloads, PAYLOAD_COLUMNS, projectId, { keys, binder: new Binder() });
}

/** The keys of a statement, and the binder of the values that its columns contain. */
export interface KeysOfStatement {
  readonly keys: readonly RowKey[];
  readonly binder: Binder;
}

/**
 * Columns of the rows of a table, by their keys. The condition on the sort key stands before versions are distinguished
 * (`PREWHERE`), so that the other columns are read for these rows alone.
 */
export function byKeys(
  table: string,
  columns: string,
  projectId: string,
  { keys, binder }: KeysOfStatement,
): Query {
  return {
    sql: `SELECT ${KEY_COLUMNS}, ${columns} FROM ${visible(table)} PREWHERE ${hasKey(projectId, keys, binder)}`,
    bindings: binder.bindings,
  };
}

/** The condition that a row has one of these keys. Its set is a constant, so that the engine looks it up in the primary key. */
export function hasKey(projectId: string, keys: readonly RowKey[], binder: Binder): string {
  const hours = binder.bind(
    keys.map((key) => dateTimeText(key.key_hour)),
    "Array(DateTime('UTC'))",
  );
  const sessions = binder.bind(
    keys.map((key) => key.key_session),
    'Array(UUID)',
  );
  const ids = binder.bind(
    keys.map((key) => key.key_event),
    'Array(UUID)',
  );
  return (
    `project_id = ${binder.text(projectId)} ` +
    `AND (start_hour, session_id, event_id) IN arrayZip(${hours}, ${sessions}, ${ids})`
  );
}

/** Unix seconds as the engine reads a point in time. */
function dateTimeText(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}
