import { EVENT_SHAPE, type EventShape } from '@assay/domain';
import { addedFieldMigrations } from './added-fields.js';
import { deletions } from './deletions.js';
import { eventIds } from './event-ids.js';
import { evaluationJobs, evaluations } from './evaluations.js';
import { logPositions } from './log-positions.js';
import { CHANGE_COLUMNS, tableColumns } from './columns.js';
import { keptPayloads } from './kept-payloads.js';
import { keyValueIndex } from './key-value-index.js';
import { limitMerges, MAX_MERGE_BYTES } from './merge-limit.js';
import { media } from './media.js';
import type { Migration } from './migration.js';
import { repartition } from './repartition.js';
import { storedAt } from './stored-at.js';
import { DURABLE, FEWER_MERGES, releasedEngine, tableSettings, type StoredTable } from './table-engine.js';
import { distributed, onCluster, replicated, replicatedOnce, type Topology } from './topology.js';
import { createView, releasedEventsView, releasedPayloadView } from './views.js';

/** Statements that create the table of applied migrations: one for all shards, so that no shard runs a migration again. */
export function foundation(topology: Topology): string[] {
  const { database } = topology;
  const engine = replicatedOnce(topology, 'schema_migrations', 'ReplacingMergeTree');
  return [
    `CREATE DATABASE IF NOT EXISTS ${database}${onCluster(topology)}`,
    `CREATE TABLE IF NOT EXISTS ${database}.schema_migrations${onCluster(topology)} (version UInt32, applied_at DateTime DEFAULT now()) ` +
      `ENGINE = ${engine} ORDER BY version`,
  ];
}

/** All migrations, oldest first. A released migration never changes. */
export function migrations(topology: Topology, shape: EventShape = EVENT_SHAPE): Migration[] {
  const all: Migration[] = [
    {
      version: 1,
      statements: [
        ...localTables(topology, shape),
        ...views(topology, shape),
        ...distributedTables(topology),
      ],
    },
    { version: 2, statements: fewerMerges(topology) },
    { version: 4, statements: [], convert: (engine) => repartition(engine, topology) },
    logPositions(topology),
    { version: 6, statements: updateIds(topology) },
    keptPayloads(topology, shape),
    evaluations(topology),
    evaluationJobs(topology),
    { version: 10, statements: [limitMerges(topology, MAX_MERGE_BYTES)] },
    deletions(topology),
    storedAt(topology, shape),
    media(topology, shape),
    eventIds(topology),
    ...addedFieldMigrations(topology, shape),
  ];
  return all.sort((one, other) => one.version - other.version);
}

function fewerMerges(topology: Topology): string[] {
  return ['events', 'event_payloads'].map(
    (table) =>
      `ALTER TABLE ${topology.database}.${table}${onCluster(topology)} MODIFY SETTING ${tableSettings(topology, FEWER_MERGES)}`,
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

function localTables(topology: Topology, shape: EventShape): string[] {
  const columns = tableColumns(shape, keyValueIndex(topology));
  const byMonth = (table: StoredTable) =>
    releasedEngine(topology, table, { name: table, partitionBy: 'toYYYYMM(start_at)' });
  const changes = replicated(topology, 'event_changes', 'ReplacingMergeTree', ['ver']);
  return [
    `${createTable(topology, 'events', columns.events)} ${byMonth('events')}`,
    `${createTable(topology, 'event_payloads', columns.payloads)} ${byMonth('event_payloads')}`,
    createTable(topology, 'event_changes', CHANGE_COLUMNS) +
      ` ENGINE = ${changes} ORDER BY (project_id, event_id) SETTINGS ${tableSettings(topology, { index_granularity: 1024, ...DURABLE })}`,
    createTable(topology, 'events_ingest', columns.ingest) + ' ENGINE = Null',
  ];
}

function views(topology: Topology, shape: EventShape): string[] {
  const released = { ...shape, fields: shape.fields.filter(({ addedIn }) => addedIn === undefined) };
  return [
    createView(topology, releasedPayloadView(topology, released)),
    createView(topology, releasedEventsView(topology, released)),
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
