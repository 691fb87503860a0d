import { literal, type QueryRunner } from '../engine/engine.js';
import { onCluster, tableNames, type Topology } from '../schema/topology.js';
import type { DeletedPart } from './deleted-parts.js';
import { isUnseen, PURGED_TABLES } from './purged-tables.js';

/** By this condition, which no other statement has, rewrites are recognised among the mutations of a table. */
export const OF_PARTS = '_part IN';
/** Tables of which parts are rewritten. */
export const REWRITTEN_TABLES = [...PURGED_TABLES.map(({ table }) => table), 'media'];

/** What the engine is doing about rewrites of parts. */
export interface Rewrites {
  /** Whether parts of one of the tables are being rewritten, for whatever reason. */
  readonly isRunning: boolean;
  /** Whether the engine has failed to rewrite one, and tries again. */
  readonly isFailing: boolean;
  /** Time of the newest statement because of deletions, Unix milliseconds; 0 without one. */
  readonly startedAt: number;
}

/**
 * The statement that removes the rows of deleted events from parts of one partition of a table. The engine rewrites each of these parts
 * in the background, and continues after a restart; the other parts stay as they are.
 */
export function rewriteStatement(
  parts: readonly [DeletedPart, ...DeletedPart[]],
  topology: Topology,
): string {
  const [{ table, partition }] = parts;
  const name = `${topology.database}.${table.table}`;
  const names = parts.map((part) => literal(part.name)).join(', ');
  // An event is on one shard with its payload; its changes may be on another.
  const events = `${topology.database}.events`;
  const { changes } = tableNames(topology);
  const within = ` AND _partition_id = ${literal(partition)}`;
  // Replicas evaluate the sub-queries on their own; a part that becomes different on one of them is fetched from another.
  const settings = topology.cluster === undefined ? '' : ' SETTINGS allow_nondeterministic_mutations = 1';
  return (
    `ALTER TABLE ${name}${onCluster(topology)} DELETE IN PARTITION ID ${literal(partition)} ` +
    `WHERE ${OF_PARTS} (${names}) AND ${isUnseen(table, { from: name, events, changes }, within)}${settings}`
  );
}

/** Reads what the engine is doing, on all replicas. */
export async function readRewrites(engine: QueryRunner, { database, cluster }: Topology): Promise<Rewrites> {
  const mutations =
    cluster === undefined ? 'system.mutations' : `clusterAllReplicas('${cluster}', system.mutations)`;
  const [found] = await engine.query<{ running: number; failing: number; started: number }>({
    sql:
      `SELECT toFloat64(countIf(is_done = 0)) AS running, toFloat64(countIf(is_done = 0 AND latest_fail_reason != '')) AS failing, ` +
      `toFloat64(maxIf(toUnixTimestamp(create_time), position(command, ${literal(OF_PARTS)}) > 0)) * 1000 AS started ` +
      `FROM ${mutations} WHERE database = ${literal(database)} ` +
      `AND table IN (${REWRITTEN_TABLES.map(literal).join(', ')})`,
    bindings: {},
  });
  const { running = 0, failing = 0, started = 0 } = found ?? {};
  return { isRunning: running > 0, isFailing: failing > 0, startedAt: started };
}
