import { validationError } from '@assay/errors';
import type { ServerFeatures } from './server-features.js';

/**
 * Location of the tables. On a cluster they are replicated, sharded by session, and read through distributed
 * tables.
 */
export interface Topology {
  readonly database: string;
  readonly cluster?: string;
  /** Number of shards that the operator has confirmed; absent: one. */
  readonly shards?: number;
  /** What the server has; absent: everything. */
  readonly server?: ServerFeatures;
}

/** Full names of the tables that statements name. */
export interface TableNames {
  /** Narrow rows, which every list, filter and aggregate reads. */
  readonly events: string;
  /** The wide columns of the same rows. */
  readonly payloads: string;
  /** Keys of narrow rows, by event id: of each that is, or was, and of a few that never were. */
  readonly ids: string;
  /** Accumulated updates and deletes, by event id. */
  readonly changes: string;
  /** Epochs of the log, and how far it is stored. */
  readonly positions: string;
  /** Evaluations, by event, metric and version of the metric. */
  readonly evaluations: string;
  /** Deletions by filters, with their receipts. */
  readonly deletions: string;
  /** Content of large texts of payloads, once for each project. */
  readonly media: string;
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** @throws AppError `VALIDATION_ERROR` if the database or the cluster is not a plain identifier */
export function checkTopology({ database, cluster }: Topology): void {
  if (!IDENTIFIER.test(database))
    throw validationError('the database name of the event store must be a plain identifier');
  if (cluster !== undefined && !IDENTIFIER.test(cluster))
    throw validationError('the cluster name must be a plain identifier');
}

/** The tables that reads and writes go to: the distributed ones on a cluster. */
export function tableNames({ database, cluster }: Topology): TableNames {
  const suffix = cluster === undefined ? '' : '_all';
  return {
    events: `${database}.events${suffix}`,
    payloads: `${database}.event_payloads${suffix}`,
    ids: `${database}.event_ids${suffix}`,
    changes: `${database}.event_changes${suffix}`,
    positions: `${database}.log_positions${suffix}`,
    evaluations: `${database}.evaluations${suffix}`,
    deletions: `${database}.deletions${suffix}`,
    media: `${database}.media${suffix}`,
  };
}

/** The clause that runs a definition on every node of the cluster; empty on one server. */
export function onCluster({ cluster }: Topology): string {
  return cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`;
}

/** A table engine with its arguments, in its replicated form on a cluster. */
export function replicated(
  { database, cluster }: Topology,
  table: string,
  engine: string,
  args: readonly string[],
): string {
  if (cluster === undefined) return `${engine}(${args.join(', ')})`;
  const path = [`'/clickhouse/tables/{shard}/${database}/${table}'`, `'{replica}'`];
  return `Replicated${engine}(${[...path, ...args].join(', ')})`;
}

/** As {@link replicated}, for a table whose rows are the same on all shards. */
export function replicatedOnce({ database, cluster }: Topology, table: string, engine: string): string {
  if (cluster === undefined) return `${engine}()`;
  return `Replicated${engine}('/clickhouse/tables/all/${database}/${table}', '{shard}-{replica}')`;
}

/** The statement that creates the distributed table over a table; none without a cluster. */
export function distributed({ database, cluster }: Topology, table: string, shardBy: string): string[] {
  if (cluster === undefined) return [];
  const name = `${database}.${table}`;
  return [
    `CREATE TABLE IF NOT EXISTS ${name}_all${onCluster({ database, cluster })} AS ${name} ` +
      `ENGINE = Distributed('${cluster}', '${database}', '${table}', cityHash64(${shardBy}))`,
  ];
}
