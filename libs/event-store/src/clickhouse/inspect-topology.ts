import type { Finding } from '@assay/runtime';
import { literal, type QueryRunner } from '../sql/engine/engine.js';
import { recordedShards } from '../sql/schema/shard-count.js';
import type { Topology } from '../sql/schema/topology.js';

const NAME = 'ClickHouse cluster';

interface Found {
  readonly shards: number;
  readonly replicas: number;
  readonly macros: number;
}

/** Inspects whether the database and the cluster can hold the tables. @throws AppError `UNAVAILABLE` */
export async function inspectTopology(engine: QueryRunner, topology: Topology): Promise<Finding> {
  const { database, cluster } = topology;
  const [found] = await engine.query<{ engine: string }>({
    sql: `SELECT engine FROM system.databases WHERE name = ${literal(database)}`,
    bindings: {},
  });
  if (found?.engine === 'Replicated')
    return fault(
      `the database ${database} has the engine Replicated, on whose nodes tables that are not replicated have different rows`,
      `drop it, create it with the engine Atomic on every node, and set CLICKHOUSE_CLUSTER`,
    );
  if (cluster === undefined) return { name: NAME, ok: true, detail: 'one server' };
  return inspectShards(engine, topology, await readCluster(engine, cluster));
}

async function readCluster(engine: QueryRunner, cluster: string): Promise<Found> {
  const [found] = await engine.query<Found>({
    sql:
      `SELECT toFloat64(uniqExact(shard_num)) AS shards, toFloat64(max(replica_num)) AS replicas, ` +
      `(SELECT toFloat64(count()) FROM system.macros WHERE macro IN ('shard', 'replica')) AS macros ` +
      `FROM system.clusters WHERE cluster = ${literal(cluster)}`,
    bindings: {},
  });
  return found ?? { shards: 0, replicas: 0, macros: 0 };
}

async function inspectShards(
  engine: QueryRunner,
  topology: Topology,
  { shards, replicas, macros }: Found,
): Promise<Finding> {
  const { cluster, shards: confirmed } = topology;
  if (shards === 0)
    return fault(
      `the server knows no cluster ${cluster}`,
      'set CLICKHOUSE_CLUSTER to one that system.clusters lists',
    );
  if (macros < 2)
    return fault(
      'the macros {shard} and {replica} are not set',
      'set both in the configuration of every node',
    );
  const recorded = await recordedShards(engine, topology);
  if (recorded !== undefined && recorded !== shards)
    return fault(
      `the tables are distributed over ${recorded} shards, and the cluster has ${shards}`,
      'restore their number: rows of another number are not found where they are looked for',
    );
  if (shards > 1 && confirmed === undefined)
    return fault(
      `the cluster has ${shards} shards, whose number can never change once events are stored`,
      `set CLICKHOUSE_SHARDS=${shards} to confirm it, or name a cluster with one shard`,
    );
  if (confirmed !== undefined && confirmed !== shards)
    return fault(
      `the cluster has ${shards} shards, and CLICKHOUSE_SHARDS is ${confirmed}`,
      'correct one of them',
    );
  return { name: NAME, ok: true, detail: `shards: ${shards}, replicas of each: ${replicas}` };
}

function fault(detail: string, advice: string): Finding {
  return { name: NAME, ok: false, detail, advice };
}
