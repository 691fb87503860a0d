import { randomUUID } from 'node:crypto';
import type { SqlEngine } from '../engine/engine.js';
import { tableNames, type TableNames, type Topology } from '../schema/topology.js';
import { CHANGE_ROWS } from './purged-tables.js';
import { readSlices, type SliceBounds } from './slices.js';

const ROWS_PER_INSERT = 1_000;
const MAX_INSERTS = 20;
const INSERT_SETTINGS = { async_insert: 0, distributed_foreground_insert: 1 };

interface ChangeRow {
  readonly project_id: string;
  readonly event_id: string;
}

/**
 * Replaces the stored updates of events that were deleted with their session by empty ones, which keep everything else: the flags, the
 * identities of updates, and the version, so that the same records have no effect when they are delivered again. Of two rows with one
 * version the one that is written last counts.
 */
export async function emptyChanges(
  engine: SqlEngine,
  topology: Topology,
  { deletedBefore, bounds }: { readonly deletedBefore: number; readonly bounds: SliceBounds },
): Promise<void> {
  const tables = tableNames(topology);
  for (const { within } of await readSlices(engine, CHANGE_ROWS, topology, bounds))
    await emptySlice(engine, tables, changesSql(tables, deletedBefore, within));
}

async function emptySlice(engine: SqlEngine, tables: TableNames, sql: string): Promise<void> {
  for (let insert = 0; insert < MAX_INSERTS; insert++) {
    const rows = await engine.query<ChangeRow>({ sql, bindings: {} });
    if (rows.length === 0) return;
    await engine.insert({
      table: tables.changes,
      format: 'JSONEachRow',
      parts: rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`)),
      settings: { ...INSERT_SETTINGS, insert_deduplication_token: randomUUID() },
    });
    if (rows.length < ROWS_PER_INSERT) return;
  }
}

/** Selects the changes, with an empty update, of events that have tombstones and no row that a reader sees. */
function changesSql({ events, changes }: TableNames, deletedBefore: number, within: string): string {
  const deleted =
    `SELECT project_id, event_id FROM ${events} WHERE is_deleted = 1${within} AND ` +
    `(project_id, event_id) GLOBAL IN (SELECT project_id, event_id FROM ${changes} WHERE 1 = 1${within}) AND ` +
    `ifNull(end_time, 0) <= toFloat64(${deletedBefore})`;
  const updated =
    `SELECT project_id, event_id FROM ${changes} PREWHERE (project_id, event_id) GLOBAL IN (${deleted})${within} ` +
    `WHERE patch NOT IN ('', '{}')`;
  const seen =
    `SELECT project_id, event_id FROM ${events} FINAL WHERE event_id GLOBAL IN ` +
    `(SELECT event_id FROM (${updated}))`;
  return (
    `SELECT project_id, toString(event_id) AS event_id, '{}' AS patch, deleted, moved_to, update_ids, ver ` +
    `FROM (SELECT * FROM ${changes} FINAL WHERE (project_id, event_id) GLOBAL IN (${updated}) ` +
    `AND (project_id, event_id) GLOBAL NOT IN (${seen})) AS newest WHERE newest.patch NOT IN ('', '{}') LIMIT ${ROWS_PER_INSERT}`
  );
}
