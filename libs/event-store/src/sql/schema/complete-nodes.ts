import { literal, type QueryRunner, type SqlEngine } from '../engine/engine.js';
import { onCluster, type Topology } from './topology.js';

interface Definition {
  readonly definition: string;
}

/** Kinds of tables in the order in which they are created: each needs those before it. */
const ORDER = [
  /^CREATE TABLE [\s\S]*ENGINE = (?!Distributed)/,
  /^CREATE TABLE /,
  /^CREATE MATERIALIZED VIEW /,
];

/**
 * Creates the tables on nodes that have joined the cluster after a migration, as they are on this node. A node that has them is left
 * as it is.
 */
export async function completeNodes(engine: SqlEngine, topology: Topology): Promise<void> {
  const { database, cluster } = topology;
  if (cluster === undefined || !(await hasIncompleteNode(engine, database, cluster))) return;
  await engine.command(`CREATE DATABASE IF NOT EXISTS ${database}${onCluster(topology)}`);
  for (const statement of await definitions(engine, topology)) await engine.command(statement);
}

/** Statements that create the tables of this node where they are missing, in an order in which each finds what it needs. */
export async function definitions(engine: QueryRunner, topology: Topology): Promise<string[]> {
  const tables = await engine.query<Definition>({
    sql: `SELECT create_table_query AS definition FROM system.tables WHERE database = ${literal(topology.database)} ORDER BY name`,
    bindings: {},
  });
  const rankOf = (definition: string) => ORDER.findIndex((pattern) => pattern.test(definition));
  return tables
    .map(({ definition }) => definition)
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map((definition) =>
      definition.replace(
        /^CREATE (TABLE|MATERIALIZED VIEW) (\S+)/,
        `CREATE $1 IF NOT EXISTS $2${onCluster(topology)}`,
      ),
    );
}

/** Whether a node has fewer tables than another. @throws AppError `UNAVAILABLE` when a node is down, whose tables are not known */
async function hasIncompleteNode(engine: SqlEngine, database: string, cluster: string): Promise<boolean> {
  const [found] = await engine.query<{ fewest: number; most: number; nodes: number; all: number }>({
    sql:
      `SELECT toFloat64(min(tables)) AS fewest, toFloat64(max(tables)) AS most, toFloat64(count()) AS nodes, ` +
      `(SELECT toFloat64(count()) FROM system.clusters WHERE cluster = ${literal(cluster)}) AS all FROM (` +
      `SELECT count() AS tables FROM clusterAllReplicas('${cluster}', system, tables) WHERE database = ${literal(database)} ` +
      `GROUP BY hostName(), tcpPort())`,
    bindings: {},
  });
  return found !== undefined && (found.fewest < found.most || found.nodes < found.all);
}
