import { literal, type QueryRunner, type SqlEngine } from '../engine/engine.js';
import { onCluster, replicatedOnce, type Topology } from './topology.js';

/** Table of the number of shards that the rows are distributed over. */
const TABLE = 'cluster_shards';

/** Returns the recorded number of shards; undefined when none is. */
export async function recordedShards(
  engine: QueryRunner,
  { database }: Topology,
): Promise<number | undefined> {
  const [table] = await engine.query<{ name: string }>({
    sql: `SELECT name FROM system.tables WHERE database = ${literal(database)} AND name = ${literal(TABLE)}`,
    bindings: {},
  });
  if (table === undefined) return undefined;
  const [row] = await engine.query<{ shards: number }>({
    sql: `SELECT shards FROM ${database}.${TABLE} ORDER BY recorded_at, shards LIMIT 1`,
    bindings: {},
  });
  return row?.shards;
}

/**
 * Records the number of shards of a new installation on a cluster. A row is on the shard of its hash and this number, so that it never
 * changes.
 */
export async function recordShards(engine: SqlEngine, topology: Topology): Promise<void> {
  const { database, cluster, shards = 1 } = topology;
  if (cluster === undefined || (await recordedShards(engine, topology)) !== undefined) return;
  await engine.command(
    `CREATE TABLE IF NOT EXISTS ${database}.${TABLE}${onCluster(topology)} (shards UInt32, recorded_at DateTime DEFAULT now()) ` +
      `ENGINE = ${replicatedOnce(topology, TABLE, 'ReplacingMergeTree')} ORDER BY shards`,
  );
  await engine.command(`INSERT INTO ${database}.${TABLE} (shards) SELECT toUInt32(${shards})`);
}
