import { CHANGE_COLUMNS, EVENT_COLUMNS, INGEST_COLUMNS, PAYLOAD_COLUMNS } from './columns.js';
import type { Topology } from './topology.js';

/** One step of the schema. Its statements are idempotent, so two starts at once may both run them. */
export interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
}

/** What must be there before the record of migrations can be read. */
export function foundation(topology: Topology): string[] {
  const { database } = topology;
  const engine = replicated(topology, 'schema_migrations', 'ReplacingMergeTree', []);
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}${onCluster(topology)}`,
    `CREATE TABLE IF NOT EXISTS ${database}.schema_migrations${onCluster(topology)} (version UInt32, applied_at DateTime DEFAULT now()) ` +
      `ENGINE = ${engine} ORDER BY version`,
  ];
}

/** Every step, oldest first. A step that was released never changes. */
export function migrations(topology: Topology): Migration[] {
  return [
    {
      version: 1,
      statements: [...localTables(topology), ...views(topology), ...distributedTables(topology)],
    },
    { version: 2, statements: fewerMerges(topology) },
  ];
}

/**
 * Merging costs as much as inserting, each time. Ten parts of a size are merged into one instead of five, and a part as small as one insert
 * makes it keeps all columns in one file, because each file is written and synced on its own.
 */
function fewerMerges(topology: Topology): string[] {
  const settings = `merge_selector_base = 10, min_bytes_for_wide_part = ${64 * 1024 ** 2}`;
  return ['events', 'event_payloads'].map(
    (table) => `ALTER TABLE ${topology.database}.${table}${onCluster(topology)} MODIFY SETTING ${settings}`,
  );
}

/**
 * Parts reach the disk before an insert or a merge is done with: an answered write survives a power cut. One token is remembered
 * for as many inserts as a retry can be late.
 */
const DURABLE =
  'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, ' +
  'non_replicated_deduplication_window = 1000, replicated_deduplication_window = 1000';

const SORT_KEY = 'ORDER BY (project_id, start_hour, session_id, event_id)';

function localTables(topology: Topology): string[] {
  const replacing = (name: string, args: string[]) => replicated(topology, name, 'ReplacingMergeTree', args);
  return [
    createTable(topology, 'events', EVENT_COLUMNS) +
      ` ENGINE = ${replacing('events', ['ver', 'is_deleted'])} PARTITION BY toYYYYMM(start_at) ${SORT_KEY}` +
      ` SETTINGS index_granularity = 1024, ${DURABLE}`,
    createTable(topology, 'event_payloads', PAYLOAD_COLUMNS) +
      ` ENGINE = ${replacing('event_payloads', ['ver', 'is_deleted'])} PARTITION BY toYYYYMM(start_at) ${SORT_KEY}` +
      ` SETTINGS index_granularity = 64, index_granularity_bytes = 67108864, ${DURABLE}`,
    createTable(topology, 'event_changes', CHANGE_COLUMNS) +
      ` ENGINE = ${replacing('event_changes', ['ver'])} ORDER BY (project_id, event_id) SETTINGS index_granularity = 1024, ${DURABLE}`,
    createTable(topology, 'events_ingest', INGEST_COLUMNS) + ' ENGINE = Null',
  ];
}

function views(topology: Topology): string[] {
  const { database } = topology;
  const narrow =
    '* EXCEPT (inputs, outputs, config), length(inputs) + length(outputs) + length(config) AS payload_bytes';
  const wide =
    'project_id, event_id, session_id, start_at, start_hour, inputs, outputs, config, ver, is_deleted';
  const view = (name: string, target: string, select: string) =>
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.${name}${onCluster(topology)} TO ${database}.${target} ` +
    `AS SELECT ${select} FROM ${database}.events_ingest`;
  return [view('event_payloads_view', 'event_payloads', wide), view('events_view', 'events', narrow)];
}

/** A session lies on one shard, so that its tree and its replacing rows do. */
function distributedTables(topology: Topology): string[] {
  if (topology.cluster === undefined) return [];
  const distributed = (name: string, shardBy: string) =>
    `CREATE TABLE IF NOT EXISTS ${topology.database}.${name}_all${onCluster(topology)} AS ${topology.database}.${name} ` +
    `ENGINE = Distributed('${topology.cluster}', '${topology.database}', '${name}', cityHash64(${shardBy}))`;
  const bySession = ['events', 'event_payloads', 'events_ingest'].map((name) =>
    distributed(name, 'session_id'),
  );
  return [...bySession, distributed('event_changes', 'event_id')];
}

function createTable(topology: Topology, name: string, columns: string): string {
  return `CREATE TABLE IF NOT EXISTS ${topology.database}.${name}${onCluster(topology)} (${columns}\n)`;
}

function onCluster({ cluster }: Topology): string {
  return cluster === undefined ? '' : ` ON CLUSTER '${cluster}'`;
}

function replicated(
  { database, cluster }: Topology,
  name: string,
  engine: string,
  args: readonly string[],
): string {
  if (cluster === undefined) return `${engine}(${args.join(', ')})`;
  const place = [`'/clickhouse/tables/{shard}/${database}/${name}'`, `'{replica}'`];
  return `Replicated${engine}(${[...place, ...args].join(', ')})`;
}
