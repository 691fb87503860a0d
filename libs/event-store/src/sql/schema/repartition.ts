import { AppError } from '@assay/errors';
import { literal, type SqlEngine } from '../engine/engine.js';
import { assertFreeSpace } from './assert-free-space.js';
import { PARTITION_BY, tableEngine, type StoredTable } from './table-engine.js';
import { onCluster, type Topology } from './topology.js';

const TABLES = ['events', 'event_payloads'] as const;
/** Partition key of the first release. */
const OLD_PARTITION_KEY = 'toYYYYMM(start_at)';
/** Another process, or a merge, can make a step fail; the state is then read again. */
const MAX_ATTEMPTS = 5;
/** Keys that are compared in one statement: a bound on its memory. */
const KEYS_PER_COMPARISON = 5_000_000;
/** A hash of the sort key: comparing hashes takes a fraction of the memory of the keys. */
const KEY_HASH = 'cityHash64(project_id, start_hour, session_id, event_id)';

interface TableState {
  readonly name: string;
  readonly partition_key: string;
}

interface Repartition {
  readonly engine: SqlEngine;
  readonly topology: Topology;
  readonly table: StoredTable;
}

/**
 * Converts the tables of the first release, which are partitioned by month, to partitions by year (ADR 019).
 * The rows are copied to `<table>_by_year`; then the old table becomes `<table>_by_month` and the copy takes its
 * name. Every step can be repeated, so the conversion continues where a killed process left it, and a second
 * process that runs it concurrently does the same steps. The name `<table>_by_month` stays taken, by an empty
 * table, so that no process renames the tables a second time.
 * @throws StartError when the disk has not enough free space for the copies; nothing is changed then
 */
export async function repartition(engine: SqlEngine, topology: Topology): Promise<void> {
  const conversions = TABLES.map((table) => ({ engine, topology, table }));
  const keys = await Promise.all(conversions.map(async (one) => (await readStates(one)).get(one.table)));
  const tables = TABLES.filter((_, index) => keys[index] === OLD_PARTITION_KEY);
  await assertFreeSpace(engine, topology, { tables, copies: tables.map((table) => `${table}_by_year`) });
  for (const conversion of conversions) await repartitionTable(conversion);
}

async function repartitionTable(conversion: Repartition): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (await isDone(conversion)) return;
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS) throw error;
    }
    if (attempt >= MAX_ATTEMPTS)
      throw new AppError('UNAVAILABLE', `the table ${conversion.table} could not be converted`);
  }
}

/** Runs the steps that the tables still need; true when the conversion is complete. */
async function isDone(conversion: Repartition): Promise<boolean> {
  const { engine, topology, table } = conversion;
  const { current, byYear, byMonth } = namesOf(conversion);
  const cluster = onCluster(topology);
  const states = await readStates(conversion);
  const key = states.get(table);
  if (key === undefined) {
    // The process was killed between the two names of the statement below.
    await engine.command(`RENAME TABLE ${byYear} TO ${current}${cluster}`);
    return false;
  }
  if (key === OLD_PARTITION_KEY) {
    await engine.command(
      `CREATE TABLE IF NOT EXISTS ${byYear}${cluster} AS ${current} ${tableEngine(topology, table, {
        name: `${table}_by_year`,
        partitionBy: PARTITION_BY,
      })}`,
    );
    await copyRows(conversion, table, `${table}_by_year`);
    await engine.command(`RENAME TABLE ${current} TO ${byMonth}, ${byYear} TO ${current}${cluster}`);
    return false;
  }
  if (!states.has(`${table}_by_month`)) return true;
  // Rows that an older process wrote while the others were copied.
  await copyRows(conversion, `${table}_by_month`, table);
  await engine.command(`TRUNCATE TABLE IF EXISTS ${byMonth}${cluster}`);
  await engine.command(`DROP TABLE IF EXISTS ${byYear}${cluster} SYNC`);
  return true;
}

function namesOf({ topology, table }: Repartition) {
  const current = `${topology.database}.${table}`;
  return { current, byYear: `${current}_by_year`, byMonth: `${current}_by_month` };
}

async function readStates({ engine, topology, table }: Repartition): Promise<Map<string, string>> {
  const names = [table, `${table}_by_year`, `${table}_by_month`].map(literal).join(', ');
  const rows = await engine.query<TableState>({
    sql: `SELECT name, partition_key FROM system.tables WHERE database = ${literal(topology.database)} AND name IN (${names})`,
    bindings: {},
  });
  return new Map(rows.map((row) => [row.name, row.partition_key]));
}

/** Copies the rows of each month that the target lacks, and checks that it lacks none afterwards. */
async function copyRows(conversion: Repartition, from: string, to: string): Promise<void> {
  const { engine, topology } = conversion;
  const months = await engine.query<{ month: string; keys: number }>({
    sql: `SELECT _partition_id AS month, count() AS keys FROM ${readable(topology, from)} GROUP BY month ORDER BY month`,
    bindings: {},
  });
  for (const { month, keys } of months) {
    const scope = { from, to, month, buckets: Math.ceil(keys / KEYS_PER_COMPARISON) };
    if (!(await lacksRows(conversion, scope))) continue;
    await mergeRepeatedVersions(conversion, scope);
    await engine.command(
      `INSERT INTO ${writable(topology, to)} SELECT * FROM ${readable(topology, from)} ` +
        `WHERE _partition_id = ${literal(month)} SETTINGS distributed_foreground_insert = 1`,
    );
    if (await lacksRows(conversion, scope))
      throw new AppError('UNAVAILABLE', `rows of the month ${month} could not be copied to ${to}`);
  }
}

interface MonthScope {
  readonly from: string;
  readonly to: string;
  readonly month: string;
  /** Number of comparisons that share the keys of the month. */
  readonly buckets: number;
}

/** Whether a key has no row in the target, or only rows of lower versions. */
async function lacksRows({ engine, topology }: Repartition, scope: MonthScope): Promise<boolean> {
  const { from, to, month, buckets } = scope;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const inBucket = `${KEY_HASH} % ${buckets} = ${bucket}`;
    const side = (isTarget: 0 | 1, table: string, where: string) =>
      `SELECT ${KEY_HASH} AS key, ver + 1 AS version, ${isTarget} AS is_target FROM ${readable(topology, table)} WHERE ${where} AND ${inBucket}`;
    const both = [
      side(0, from, `_partition_id = ${literal(month)}`),
      side(1, to, `toYYYYMM(start_at) = ${Number(month)}`),
    ].join(' UNION ALL ');
    const [row] = await engine.query<{ missing: number }>({
      sql:
        `SELECT count() AS missing FROM (SELECT maxIf(version, is_target = 0) AS wanted, maxIf(version, is_target = 1) AS found ` +
        `FROM (${both}) GROUP BY key) WHERE found < wanted`,
      bindings: {},
    });
    if ((row?.missing ?? 0) > 0) return true;
  }
  return false;
}

/**
 * Of two rows with one key and version, the one inserted later counts. Copying could change their order, so they
 * are merged first.
 */
async function mergeRepeatedVersions(conversion: Repartition, scope: MonthScope): Promise<void> {
  const { engine, topology } = conversion;
  const { from, month, buckets } = scope;
  for (let bucket = 0; bucket < buckets; bucket++) {
    const [row] = await engine.query<{ repeated: number }>({
      sql:
        `SELECT count() AS repeated FROM (SELECT 1 FROM ${readable(topology, from)} WHERE _partition_id = ${literal(month)} ` +
        `AND ${KEY_HASH} % ${buckets} = ${bucket} GROUP BY ${KEY_HASH}, ver HAVING count() > 1)`,
      bindings: {},
    });
    if ((row?.repeated ?? 0) === 0) continue;
    return engine.command(
      `OPTIMIZE TABLE ${topology.database}.${from}${onCluster(topology)} PARTITION ID ${literal(month)} FINAL ` +
        `SETTINGS optimize_throw_if_noop = 1`,
    );
  }
}

/** A table as statements read it: over all shards on a cluster. */
function readable({ database, cluster }: Topology, table: string): string {
  return cluster === undefined ? `${database}.${table}` : `cluster('${cluster}', ${database}, ${table})`;
}

/** A table as statements insert into it: sharded like the rows themselves on a cluster. */
function writable({ database, cluster }: Topology, table: string): string {
  return cluster === undefined
    ? `${database}.${table}`
    : `FUNCTION cluster('${cluster}', ${database}, ${table}, cityHash64(session_id))`;
}
