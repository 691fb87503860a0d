import type { SqlEngine } from '../engine/engine.js';
import { foundation, migrations } from './migrations.js';
import type { Topology } from './topology.js';

/**
 * Runs the steps that the record does not hold yet, oldest first. A step is recorded after its statements,
 * each of which may run twice: a crash in between, or a second process at the same time, repeats it without
 * effect.
 */
export async function migrate(engine: SqlEngine, topology: Topology): Promise<void> {
  for (const statement of foundation(topology)) await engine.command(statement);
  const applied = await appliedVersions(engine, topology);
  for (const migration of migrations(topology)) {
    if (applied.has(migration.version)) continue;
    for (const statement of migration.statements) await engine.command(statement);
    await engine.command(
      `INSERT INTO ${topology.database}.schema_migrations (version) SELECT toUInt32(${migration.version})`,
    );
  }
}

async function appliedVersions(engine: SqlEngine, { database }: Topology): Promise<ReadonlySet<number>> {
  const rows = await engine.query<{ version: number }>({
    sql: `SELECT version FROM ${database}.schema_migrations FINAL`,
    bindings: {},
  });
  return new Set(rows.map((row) => row.version));
}
