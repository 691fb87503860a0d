import type { DeletedRows, Deletion, RowsOfEvents } from '../event-store.js';
import { Binder } from './engine/binder.js';
import { literal, type QueryRunner, type SqlEngine } from './engine/engine.js';
import { isUnseen, PURGED_TABLES } from './purge/purged-tables.js';
import { REWRITTEN_TABLES } from './purge/rewrite-parts.js';
import { readSlices, SLICE_BOUNDS } from './purge/slices.js';
import { countUnusedMedia } from './purge/unused-media.js';
import { ofEvents } from './read/rows/of-events.js';
import { ofSessions } from './read/rows/of-sessions.js';
import { onCluster, tableNames, type TableNames, type Topology } from './schema/topology.js';

const INSERT_SETTINGS = { async_insert: 0, distributed_foreground_insert: 1 };

interface DeletionRow {
  readonly content: string;
}

export async function writeDeletion(
  engine: SqlEngine,
  tables: TableNames,
  deletion: Deletion,
  isOpen: boolean,
): Promise<void> {
  const { projectId: project_id, id, version: ver } = deletion;
  const row = { project_id, id, is_open: isOpen ? 1 : 0, content: JSON.stringify(deletion), ver };
  await engine.insert({
    table: tables.deletions,
    format: 'JSONEachRow',
    parts: [Buffer.from(`${JSON.stringify(row)}\n`)],
    settings: INSERT_SETTINGS,
  });
}

export async function readDeletion(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  id: string,
): Promise<Deletion | undefined> {
  const binder = new Binder();
  const where = `project_id = ${binder.text(projectId)} AND id = ${binder.text(id)}`;
  const sql = `SELECT content FROM ${tables.deletions} FINAL WHERE ${where}`;
  const [found] = await engine.query<DeletionRow>({ sql, bindings: binder.bindings });
  return found && (JSON.parse(found.content) as Deletion);
}

export async function readOpenDeletions(
  engine: QueryRunner,
  tables: TableNames,
  projectId?: string,
): Promise<readonly Deletion[]> {
  const binder = new Binder();
  const where = projectId === undefined ? '' : ` AND project_id = ${binder.text(projectId)}`;
  const sql = `SELECT content FROM ${tables.deletions} FINAL WHERE is_open = 1${where} ORDER BY project_id, id`;
  const found = await engine.query<DeletionRow>({ sql, bindings: binder.bindings });
  return found.map(({ content }) => JSON.parse(content) as Deletion);
}

/** The table is small, so that rewriting the parts with such rows costs little. */
export async function forgetFormerVersions(
  engine: SqlEngine,
  topology: Topology,
  { projectId, id, version }: Deletion,
): Promise<void> {
  await engine.command(
    `ALTER TABLE ${topology.database}.deletions${onCluster(topology)} DELETE ` +
      `WHERE project_id = ${literal(projectId)} AND id = ${literal(id)} AND ver < ${version}`,
  );
}

export async function countRows(
  engine: QueryRunner,
  tables: TableNames,
  projectId: string,
  { eventIds, sessionIds }: RowsOfEvents,
): Promise<DeletedRows> {
  const binder = new Binder();
  const project = `project_id = ${binder.text(projectId)}`;
  const ofBoth = [
    ofEvents(tables, { projectId, eventIds }, binder),
    ofSessions(tables, { projectId, sessionIds }, binder),
  ];
  const rows = `(${ofBoth.map((condition) => `(${condition})`).join(' OR ')})`;
  const events = `${project} AND event_id GLOBAL IN (SELECT event_id FROM ${tables.events} FINAL WHERE ${rows})`;
  const counted = {
    events: `${tables.events} FINAL WHERE ${rows}`,
    event_payloads: `${tables.payloads} FINAL WHERE ${rows}`,
    event_changes: `${tables.changes} FINAL WHERE ${events} AND patch NOT IN ('', '{}')`,
    evaluations: `${tables.evaluations} FINAL WHERE ${events}`,
  };
  const columns = Object.entries(counted).map(
    ([name, from]) => `(SELECT toFloat64(count()) FROM ${from}) AS ${name}`,
  );
  const [found] = await engine.query<DeletedRows>({
    sql: `SELECT ${columns.join(', ')}`,
    bindings: binder.bindings,
  });
  return found ?? { events: 0, event_payloads: 0, event_changes: 0, evaluations: 0 };
}

/** As the purge finds them, of one project; with media that were stored until then and that no event refers to. */
export async function countDeletedRows(
  engine: QueryRunner,
  topology: Topology,
  projectId: string,
  deletedUntil: number,
): Promise<number> {
  const names = tableNames(topology);
  let rows = await countUnusedMedia(engine, topology, projectId, deletedUntil);
  for (const table of PURGED_TABLES) {
    const of = ` AND project_id = ${literal(projectId)}`;
    for (const slice of await readSlices(engine, table, topology, { ...SLICE_BOUNDS, of })) {
      const binder = new Binder();
      const within = ` AND project_id = ${binder.text(projectId)}${slice.within}`;
      const deleted =
        `SELECT ${table.deletionKey} FROM ${names.events} WHERE is_deleted = 1${within} ` +
        `AND ifNull(end_time, 0) <= ${binder.number(deletedUntil)}`;
      const sql =
        `SELECT toFloat64(count()) AS rows FROM ${names[table.readFrom]} ` +
        `WHERE ${isUnseen(table, { ...names, from: names[table.readFrom] }, within)}${within} AND (${table.deletionKey}) GLOBAL IN (${deleted})`;
      const [found] = await engine.query<{ readonly rows: number }>({ sql, bindings: binder.bindings });
      rows += found?.rows ?? 0;
    }
  }
  return rows;
}

/** The engine lists a part until it has removed its files, on all replicas. */
export async function hasFormerParts(
  engine: QueryRunner,
  { database, cluster }: Topology,
  replacedUntil: number,
): Promise<boolean> {
  const parts = cluster === undefined ? 'system.parts' : `clusterAllReplicas('${cluster}', system.parts)`;
  const tables = REWRITTEN_TABLES.map(literal).join(', ');
  const binder = new Binder();
  const sql =
    `SELECT toFloat64(count()) AS parts FROM ${parts} WHERE database = ${literal(database)} AND table IN (${tables}) ` +
    `AND active = 0 AND toUnixTimestamp(remove_time) * 1000 <= ${binder.number(replacedUntil)}`;
  const [found] = await engine.query<{ readonly parts: number }>({ sql, bindings: binder.bindings });
  return (found?.parts ?? 0) > 0;
}
