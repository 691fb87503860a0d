import { EVENT_SHAPE, type EventShape } from '@assay/domain';
import { addedFieldMigrations } from './added-fields.js';
import { CHANGE_COLUMNS, tableColumns } from './columns.js';
import type { Migration } from './migration.js';
import { repartition } from './repartition.js';
import { DURABLE, FEWER_MERGES, releasedEngine, type StoredTable } from './table-engine.js';
import { onCluster, replicated, type Topology } from './topology.js';
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
    { version: 4, statements: [], convert: (engine) => repartition(engine, topology) },
    ...addedFieldMigrations(topology, shape),
  ];
}

function fewerMerges(topology: Topology): string[] {
  return ['events', 'event_payloads'].map(
    (table) =>
      `ALTER TABLE ${topology.database}.${table}${onCluster(topology)} MODIFY SETTING ${FEWER_MERGES}`,
  );
}

function localTables(topology: Topology, shape: EventShape): string[] {
  const columns = tableColumns(shape);
  const byMonth = (table: StoredTable) =>
    releasedEngine(topology, table, { name: table, partitionBy: 'toYYYYMM(start_at)' });
  const changes = replicated(topology, 'event_changes', 'ReplacingMergeTree', ['ver']);
  return [
    `${createTable(topology, 'events', columns.events)} ${byMonth('events')}`,
    `${createTable(topology, 'event_payloads', columns.payloads)} ${byMonth('event_payloads')}`,
    createTable(topology, 'event_changes', CHANGE_COLUMNS) +
      ` ENGINE = ${changes} ORDER BY (project_id, event_id) SETTINGS index_granularity = 1024, ${DURABLE}`,
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
