import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { EVENT_READER, type NarrowRow, type StoredRow } from './event-reader.js';
import { ofEvents } from './of-events.js';
import { readFewRows } from './newest-versions.js';
import type { RowKey } from './row-key.js';
import { byKeys, hasKey, narrowRowsById } from './row-queries.js';

/** Keys of one statement: less than 256 KiB of text, which a ClickHouse server parses of one parameter. */
export const KEYS_PER_QUERY = 5_000;
/** Versions of one row that are read, on average. Those of payloads are few, and each can be large. */
const VERSIONS_PER_KEY = { narrow: 10, payload: 2 };
/** Rows of one statement whose payloads are read by their sessions. */
export const MAX_DENSE_ROWS = 10_000;
/** Fewer rows are read by their keys: 15 µs for each key cost less than reading further rows. */
const MIN_DENSE_ROWS = 200;
/** Sessions of one statement: less than 256 KiB of text, which a ClickHouse server parses of one parameter. */
const MAX_DENSE_SESSIONS = 5_000;
/** Rows that are read for each row that was asked for, in all versions. */
const ROWS_PER_DENSE_ROW = 1.25;
/** Versions and locations of one event that are read. */
const ROWS_OF_EVENT = 100;

/** Visible narrow rows, by their keys, in any order. */
export function readNarrowRows(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  keys: readonly RowKey[],
): Promise<NarrowRow[]> {
  return readByKeys<NarrowRow>(runner, {
    table: tables.events,
    columnsOf: () => EVENT_READER.narrowColumns,
    projectId,
    keys,
    maxRows: VERSIONS_PER_KEY.narrow * keys.length,
  });
}

/** Visible payload rows, by their keys, in any order. */
export function readPayloadRows(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  keys: readonly RowKey[],
): Promise<StoredRow[]> {
  return readPayloadValues<StoredRow>(runner, tables, projectId, {
    keys,
    columnsOf: () => EVENT_READER.payloadColumns,
  });
}

/** Values of visible payload rows, by their keys, in any order. `columnsOf` selects `version`, too. */
export function readPayloadValues<Row extends RowKey>(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  { keys, columnsOf }: Pick<RowsByKeys, 'keys' | 'columnsOf'>,
): Promise<Row[]> {
  return readByKeys<Row>(runner, {
    ...{ table: tables.payloads, columnsOf, projectId, keys },
    maxRows: VERSIONS_PER_KEY.payload * keys.length,
  });
}

/** As {@link readDensePayloadRows}, of the narrow rows. */
export function readDenseNarrowRows(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  rows: readonly RowKey[],
): Promise<NarrowRow[] | undefined> {
  const columns = EVENT_READER.narrowColumns;
  return readDenseRows<NarrowRow>(runner, { table: tables.events, columns, projectId, rows });
}

/**
 * Visible payload rows of rows that are nearly all between the first hour and the last one of their sessions, in any order,
 * and others of these sessions: planning a statement costs 15 µs for each key, and little for each session. Undefined when
 * there are few rows, too many sessions, or too many other rows.
 */
export function readDensePayloadRows(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  rows: readonly RowKey[],
): Promise<StoredRow[] | undefined> {
  const columns = EVENT_READER.payloadColumns;
  return readDenseRows<StoredRow>(runner, { table: tables.payloads, columns, projectId, rows });
}

interface DenseRows extends Pick<RowsByKeys, 'table' | 'projectId'> {
  readonly columns: string;
  readonly rows: readonly RowKey[];
}

async function readDenseRows<Row extends RowKey>(
  runner: QueryRunner,
  { table, columns, projectId, rows }: DenseRows,
): Promise<Row[] | undefined> {
  const sessions = [...new Set(rows.map((row) => row.key_session))];
  if (rows.length < MIN_DENSE_ROWS || sessions.length > MAX_DENSE_SESSIONS) return undefined;
  const hours = rows.map((row) => row.key_hour).sort((one, other) => one - other);
  const binder = new Binder();
  const hour = (seconds = 0) => `toDateTime(${binder.bind(String(seconds), 'UInt64')}, 'UTC')`;
  return readFewRows<Row>(runner, {
    table,
    columns,
    onKey:
      `project_id = ${binder.text(projectId)} AND start_hour BETWEEN ${hour(hours[0])} AND ${hour(hours.at(-1))} ` +
      `AND session_id IN ${binder.bind(sessions, 'Array(UUID)')}`,
    binder,
    maxRows: Math.floor(ROWS_PER_DENSE_ROW * rows.length),
  });
}

/** Visible narrow rows of one event: several while its sort key changes. */
export async function readNarrowRowsOf(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  eventId: string,
): Promise<NarrowRow[]> {
  const binder = new Binder();
  const rows = await readFewRows<NarrowRow>(runner, {
    table: tables.events,
    columns: EVENT_READER.narrowColumns,
    onKey: ofEvents(tables, { projectId, eventIds: [eventId] }, binder),
    binder,
    maxRows: ROWS_OF_EVENT,
  });
  return rows ?? runner.query<NarrowRow>(narrowRowsById(tables, projectId, [eventId]));
}

interface RowsByKeys {
  readonly table: string;
  /** What to select besides the key, with values of the binder. */
  readonly columnsOf: (binder: Binder) => string;
  readonly projectId: string;
  readonly keys: readonly RowKey[];
  readonly maxRows: number;
}

async function readByKeys<Row extends RowKey>(
  runner: QueryRunner,
  { table, columnsOf, projectId, keys, maxRows }: RowsByKeys,
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const [binder, ofVisible] = [new Binder(), new Binder()];
  const columns = columnsOf(binder);
  const onKey = hasKey(projectId, keys, binder);
  const rows = await readFewRows<Row>(runner, { table, columns, onKey, binder, maxRows });
  const visible = () => byKeys(table, columnsOf(ofVisible), projectId, { keys, binder: ofVisible });
  return rows ?? runner.query<Row>(visible());
}
