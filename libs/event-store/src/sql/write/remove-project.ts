import type { RemovalStep } from '../../event-store.js';
import { Binder } from '../engine/binder.js';
import { literal, type SqlEngine } from '../engine/engine.js';
import { onCluster, tableNames, type Topology } from '../schema/topology.js';

/** The tables with rows of projects, by the name under which they are read. */
const TABLES = {
  events: 'events',
  ids: 'event_ids',
  payloads: 'event_payloads',
  changes: 'event_changes',
  evaluations: 'evaluations',
  deletions: 'deletions',
  /** Last, because rows refer to them. */
  media: 'media',
} as const;

/**
 * Has the engine delete the rows of a project from one partition of one table. The engine rewrites the parts that
 * contain such rows in the background, survives restarts doing so, and has at most one of these tasks per table.
 */
export async function removeProjectStep(
  engine: SqlEngine,
  topology: Topology,
  projectId: string,
): Promise<RemovalStep> {
  for (const [name, table] of Object.entries(TABLES)) {
    const readFrom = tableNames(topology)[name as keyof typeof TABLES];
    const found = await firstPartition(engine, readFrom, projectId);
    if (found === undefined) continue;
    if (await isRemoving(engine, topology, table)) return { isComplete: false, rows: 0 };
    await engine.command(
      `ALTER TABLE ${topology.database}.${table}${onCluster(topology)} ` +
        `DELETE IN PARTITION ID ${literal(found.partition)} WHERE project_id = ${literal(projectId)}`,
    );
    return { isComplete: false, rows: found.rows };
  }
  return { isComplete: true, rows: 0 };
}

/** Ids of all projects with rows, deleted rows included. */
export async function readProjectIds(engine: SqlEngine, topology: Topology): Promise<string[]> {
  const { events, payloads, changes, evaluations, deletions, media } = tableNames(topology);
  const sql = [events, payloads, changes, evaluations, deletions, media]
    .map((table) => `SELECT DISTINCT project_id FROM ${table}`)
    .join(' UNION DISTINCT ');
  const rows = await engine.query<{ readonly project_id: string }>({ sql, bindings: {} });
  return rows.map((row) => row.project_id);
}

interface PartitionRows {
  readonly partition: string;
  readonly rows: number;
}

async function firstPartition(
  engine: SqlEngine,
  table: string,
  projectId: string,
): Promise<PartitionRows | undefined> {
  const binder = new Binder();
  const sql =
    `SELECT _partition_id AS partition, count() AS rows FROM ${table} ` +
    `WHERE project_id = ${binder.text(projectId)} GROUP BY partition ORDER BY partition LIMIT 1`;
  const [found] = await engine.query<PartitionRows>({ sql, bindings: binder.bindings });
  return found;
}

async function isRemoving(
  engine: SqlEngine,
  { database, cluster }: Topology,
  table: string,
): Promise<boolean> {
  const mutations =
    cluster === undefined ? 'system.mutations' : `clusterAllReplicas('${cluster}', system.mutations)`;
  const binder = new Binder();
  const sql =
    `SELECT count() AS running FROM ${mutations} WHERE database = ${binder.text(database)} ` +
    `AND table = ${binder.text(table)} AND is_done = 0`;
  const [found] = await engine.query<{ readonly running: number }>({ sql, bindings: binder.bindings });
  return (found?.running ?? 0) > 0;
}
