import { EVENT_SHAPE, type EventShape } from '@assay/domain';
import { addedFieldMigrations } from './added-fields.js';
import { logPositions } from './log-positions.js';
import { CHANGE_COLUMNS, tableColumns } from './columns.js';
import type { Migration } from './migration.js';
import { distributed, onCluster, replicated, type Topology } from './topology.js';
import { createView, payloadView, eventsView } from './views.js';

/** Statements that create the table of applied migrations. */
export function foundation(topology: Topology): string[] {
  const { database } = topology;
  const engine = replicated(topology, 'schema_migrations', 'ReplacingMergeTree', []);
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}${onCluster(topology)}`,
    `CREATE TABLE IF NOT EXISTS ${database}.schema_migrations${onCluster(topology)} (version UInt32, applied_at DateTime DEFAULT now()) ` +
      `ENGINE = ${engine} ORDER BY version`,
  ];
}

/** All migrations, oldest first. A released migration never changes. */
export function migrations(topology: Topology, shape: EventShape = EVENT_SHAPE): Migration[] {
  return [
    {
      version: 1,
      statements: [
        ...localTables(topology, shape),
        ...views(topology, shape),
        ...distributedTables(topology),
      ],
    },
    { version: 2, statements: fewerMerges(topology) },
    logPositions(topology),
    { version: 5, statements: updateIds(topology) },
    ...addedFieldMigrations(topology, shape),
  ].sort((one, other) => one.version - other.version);
}

/**
 * Each merge costs as much as the insert. Ten parts of a size are merged instead of five, and small parts
 * keep all columns in one file, because each file is written and synced separately.
 */
function fewerMerges(topology: Topology): string[] {
  const settings = `merge_selector_base = 10, min_bytes_for_wide_part = ${64 * 1024 ** 2}`;
  return ['events', 'event_payloads'].map(
    (table) => `ALTER TABLE ${topology.database}.${table}${onCluster(topology)} MODIFY SETTING ${settings}`,
  );
}

/** Updates that clients can repeat are applied once. */
function updateIds(topology: Topology): string[] {
  const distributed = topology.cluster === undefined ? [] : ['_all'];
  return ['', ...distributed].map(
    (suffix) =>
      `ALTER TABLE ${topology.database}.event_changes${suffix}${onCluster(topology)} ` +
      'ADD COLUMN IF NOT EXISTS update_ids Array(String)',
  );
}

/**
 * Parts are synced before an insert or a merge completes, so an acknowledged write survives a power failure.
 * The deduplication window covers every insert that a retry can follow.
 */
const DURABLE =
  'fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1, ' +
  'non_replicated_deduplication_window = 1000, replicated_deduplication_window = 1000';

const SORT_KEY = 'ORDER BY (project_id, start_hour, session_id, event_id)';

function localTables(topology: Topology, shape: EventShape): string[] {
  const columns = tableColumns(shape);
  const replacing = (name: string, args: string[]) => replicated(topology, name, 'ReplacingMergeTree', args);
  return [
    createTable(topology, 'events', columns.events) +
      ` ENGINE = ${replacing('events', ['ver', 'is_deleted'])} PARTITION BY toYYYYMM(start_at) ${SORT_KEY}` +
      ` SETTINGS index_granularity = 1024, ${DURABLE}`,
    createTable(topology, 'event_payloads', columns.payloads) +
      ` ENGINE = ${replacing('event_payloads', ['ver', 'is_deleted'])} PARTITION BY toYYYYMM(start_at) ${SORT_KEY}` +
      ` SETTINGS index_granularity = 64, index_granularity_bytes = 67108864, ${DURABLE}`,
    createTable(topology, 'event_changes', CHANGE_COLUMNS) +
      ` ENGINE = ${replacing('event_changes', ['ver'])} ORDER BY (project_id, event_id) SETTINGS index_granularity = 1024, ${DURABLE}`,
    createTable(topology, 'events_ingest', columns.ingest) + ' ENGINE = Null',
  ];
}

function views(topology: Topology, shape: EventShape): string[] {
  const released = { ...shape, fields: shape.fields.filter(({ addedIn }) => addedIn === undefined) };
  return [
    createView(topology, payloadView(topology, released)),
    createView(topology, eventsView(topology, released)),
  ];
}

/** A session is on one shard, together with its tree and all versions of its rows. */
function distributedTables(topology: Topology): string[] {
  const bySession = ['events', 'event_payloads', 'events_ingest'].flatMap((name) =>
    distributed(topology, name, 'session_id'),
  );
  return [...bySession, ...distributed(topology, 'event_changes', 'event_id')];
}

function createTable(topology: Topology, name: string, columns: string): string {
  return `CREATE TABLE IF NOT EXISTS ${topology.database}.${name}${onCluster(topology)} (${columns}\n)`;
}
