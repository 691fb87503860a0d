import { setTimeout as delay } from 'node:timers/promises';
import { backoffMs, StartError } from '@assay/runtime';
import { isAlteredMeanwhile } from '../engine/engine-failure.js';
import { literal, type SqlEngine } from '../engine/engine.js';
import { completeNodes } from './complete-nodes.js';
import { adoptTextIndex } from './key-value-index.js';
import type { Migration } from './migration.js';
import { foundation, migrations } from './migrations.js';
import { readServerFeatures } from './server-features.js';
import { recordShards } from './shard-count.js';
import type { Topology } from './topology.js';

/**
 * Runs the migrations that are not recorded yet, oldest first. A migration is recorded after its statements,
 * which are idempotent, so a crash in between or a concurrent process may repeat it. `migrationsOf` is for tests that need
 * tables of an earlier release. What an older server lacks is left out, and added once it has been upgraded.
 * @throws StartError (exit code 78) when the database has tables of these names that no migration has created
 */
export async function migrate(
  engine: SqlEngine,
  target: Topology,
  migrationsOf: (topology: Topology) => readonly Migration[] = migrations,
): Promise<void> {
  const topology = { ...target, server: await readServerFeatures(engine) };
  await refuseForeignTables(engine, topology);
  for (const statement of foundation(topology)) await engine.command(statement);
  const applied = await appliedVersions(engine, topology);
  for (const migration of migrationsOf(topology)) {
    if (applied.has(migration.version)) continue;
    for (const statement of migration.statements) await change(engine, statement);
    await migration.convert?.(engine);
    await engine.command(
      `INSERT INTO ${topology.database}.schema_migrations (version) SELECT toUInt32(${migration.version})`,
    );
  }
  await adoptTextIndex(engine, topology);
  await recordShards(engine, topology);
  await completeNodes(engine, topology);
}

/** Attempts of a statement while other processes change the same table. */
const MAX_ATTEMPTS = 5;
const MAX_BACKOFF_MS = 1_000;

/** Runs an idempotent statement again when a concurrent process renamed or altered its table meanwhile. */
async function change(engine: SqlEngine, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await engine.command(statement);
    } catch (error) {
      if (!isAlteredMeanwhile(error) || attempt === MAX_ATTEMPTS) throw error;
      await delay(backoffMs(attempt, Math.random(), MAX_BACKOFF_MS));
    }
  }
}

/** Tables of the first migration. They are created after `schema_migrations`. */
const FIRST_TABLES = ['events', 'event_payloads', 'event_changes', 'events_ingest'];
/** Exit code of a process with an invalid configuration: EX_CONFIG. */
const EXIT_CONFIG = 78;

/** Migrations would change tables of something else, or fail in the middle, when the setting names the wrong database. */
async function refuseForeignTables(engine: SqlEngine, { database }: Topology): Promise<void> {
  const rows = await engine.query<{ name: string }>({
    sql: `SELECT name FROM system.tables WHERE database = ${literal(database)}`,
    bindings: {},
  });
  if (rows.some(({ name }) => name === 'schema_migrations')) return;
  const foreign = rows.map(({ name }) => name).filter((name) => FIRST_TABLES.includes(name));
  if (foreign.length === 0) return;
  throw new StartError(
    `the database ${database} has tables of the same names that are not of this event store (${foreign.join(', ')}): set ` +
      'CLICKHOUSE_DATABASE to another name',
    { exitCode: EXIT_CONFIG },
  );
}

/** Returns the versions that are not recorded yet, lowest first, without changing anything. */
export async function missingMigrations(engine: SqlEngine, topology: Topology): Promise<number[]> {
  const [found] = await engine.query<{ tables: number }>({
    sql: `SELECT toUInt32(count()) AS tables FROM system.tables WHERE database = ${literal(topology.database)} AND name = 'schema_migrations'`,
    bindings: {},
  });
  const applied = found?.tables ? await appliedVersions(engine, topology) : new Set<number>();
  return migrations(topology).flatMap(({ version }) => (applied.has(version) ? [] : [version]));
}

async function appliedVersions(engine: SqlEngine, { database }: Topology): Promise<ReadonlySet<number>> {
  const rows = await engine.query<{ version: number }>({
    sql: `SELECT version FROM ${database}.schema_migrations FINAL`,
    bindings: {},
  });
  return new Set(rows.map((row) => row.version));
}
