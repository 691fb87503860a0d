import { PAYLOAD_FIELDS } from '@assay/domain';
import { Binder } from '../engine/binder.js';
import { literal, type Query } from '../engine/engine.js';
import { EVENT_READER, VERSION_COLUMN } from './event-reader.js';
import { KEY_COLUMNS, type RowKey } from './row-key.js';
import type { TableNames } from '../schema/topology.js';

const { narrowColumns: NARROW_COLUMNS, payloadColumns: PAYLOAD_COLUMNS } = EVENT_READER;

const IN_PAYLOAD = `(path, value) -> splitByChar('.', path)[1] IN (${PAYLOAD_FIELDS.map(literal).join(', ')})`;
/** The indexed leaves of the payload, which the narrow row holds. */
const LEAF_COLUMNS = ['attr', 'num']
  .flatMap((kind) => [
    `CAST(mapKeys(mapFilter(${IN_PAYLOAD}, ${kind}s)), 'Array(String)') AS ${kind}_paths`,
    `mapValues(mapFilter(${IN_PAYLOAD}, ${kind}s)) AS ${kind}_values`,
  ])
  .join(', ');

/** Narrow rows by event id. */
export function narrowRowsById(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  return narrowById(tables, NARROW_COLUMNS, projectId, eventIds);
}

/** Narrow rows by event id, with the index of their payloads. */
export function narrowRowsWithLeaves(
  tables: TableNames,
  projectId: string,
  eventIds: readonly string[],
): Query {
  return narrowById(tables, `${NARROW_COLUMNS}, complete, ${LEAF_COLUMNS}`, projectId, eventIds);
}

function narrowById(
  tables: TableNames,
  columns: string,
  projectId: string,
  eventIds: readonly string[],
): Query {
  const binder = new Binder();
  const ids = binder.bind(eventIds, 'Array(UUID)');
  return {
    sql: `SELECT ${KEY_COLUMNS}, ${columns} FROM ${tables.events} FINAL WHERE project_id = ${binder.text(projectId)} AND event_id IN ${ids}`,
    bindings: binder.bindings,
  };
}

/** Payload rows by their keys. */
export function payloadRows(tables: TableNames, projectId: string, keys: readonly RowKey[]): Query {
  return byKeys(tables.payloads, PAYLOAD_COLUMNS, projectId, { keys, binder: new Binder() });
}

/** Versions of payload rows by their keys. */
export function payloadVersions(tables: TableNames, projectId: string, keys: readonly RowKey[]): Query {
  return byKeys(tables.payloads, VERSION_COLUMN, projectId, { keys, binder: new Binder() });
}

/**
 * The newest visible payload of each event, wherever it is. Reads the keys of the whole project, so it is for
 * the rare events without a complete row.
 */
export function payloadRowsById(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  const binder = new Binder();
  const ids = binder.bind(eventIds, 'Array(UUID)');
  return {
    sql:
      `SELECT ${KEY_COLUMNS}, ${PAYLOAD_COLUMNS} FROM ${tables.payloads} FINAL ` +
      `PREWHERE project_id = ${binder.text(projectId)} AND event_id IN ${ids} ORDER BY version DESC LIMIT 1 BY event_id`,
    bindings: binder.bindings,
  };
}

/** Changes by event id. */
export function changeRows(tables: TableNames, projectId: string, eventIds: readonly string[]): Query {
  const binder = new Binder();
  const ids = binder.bind(eventIds, 'Array(UUID)');
  const columns =
    'toString(event_id) AS key_event, patch, deleted, moved_to, update_ids, toUInt64(ver) AS version';
  return {
    sql: `SELECT ${columns} FROM ${tables.changes} FINAL WHERE project_id = ${binder.text(projectId)} AND event_id IN ${ids}`,
    bindings: binder.bindings,
  };
}

/** Ids of everything that has a row, deleted ones too, or changes. */
export function knownIds(tables: TableNames): Query {
  const ids = 'project_id, toString(event_id) AS event_id';
  return {
    sql: `SELECT ${ids} FROM ${tables.events} UNION ALL SELECT ${ids} FROM ${tables.changes}`,
    bindings: {},
  };
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
    sql: `SELECT ${KEY_COLUMNS}, ${columns} FROM ${table} FINAL PREWHERE ${hasKey(projectId, keys, binder)}`,
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
