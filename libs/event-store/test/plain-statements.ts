const KEY = 'project_id, start_hour, session_id, event_id';
const PAYLOAD = ['inputs', 'outputs', 'config'];

/** Returns the statement that lists the names of the stored columns of events, in their order. */
export function storedColumns(database: string): string {
  const condition = `database = '${database}' AND table = 'events' AND default_kind = ''`;
  return `SELECT name FROM system.columns WHERE ${condition} ORDER BY position`;
}

/** Makes a repeated statement read again what its condition excludes. */
export const FORGET_CONDITIONS = 'SYSTEM DROP QUERY CONDITION CACHE';

/** Columns of the narrow table: those that select, group and count, without JSON. */
const NARROW = `${KEY}, start_time, event_name, event_type, run_id, datapoint_id, nums, kv, arrayConcat(mapKeys(attrs), mapKeys(nums)) AS names`;

/**
 * Returns the statements that copy `plain.events` into `plain.narrow`, a merged table whose rows hold what questions select by, count and
 * average. `plain.events` then has the rest of an event, found by its key.
 */
export function narrowStatements(): string[] {
  const indexes = ['event_id', 'session_id', 'run_id', 'kv'].map(
    (name) => `ADD INDEX ix_${name} ${name} TYPE bloom_filter(0.01) GRANULARITY 1`,
  );
  return [
    `CREATE TABLE plain.narrow ENGINE = MergeTree ORDER BY (${KEY}) SETTINGS index_granularity = 1024 ` +
      `AS SELECT ${NARROW} FROM plain.events LIMIT 0`,
    `ALTER TABLE plain.narrow ${indexes.join(', ')}`,
    `INSERT INTO plain.narrow SELECT ${NARROW} FROM plain.events`,
    'OPTIMIZE TABLE plain.narrow FINAL',
  ];
}

/** Returns the statements that copy the newest rows of an event store into one merged table without versions, `plain.events`. */
export function copyStatements(database: string, stored: readonly string[]): string[] {
  const columns = [...stored, ...PAYLOAD].join(', ');
  const payload = PAYLOAD.map((name) => `ADD COLUMN ${name} String CODEC(ZSTD(1))`).join(', ');
  return [
    'CREATE DATABASE plain',
    `CREATE TABLE plain.events AS ${database}.events ENGINE = MergeTree ORDER BY (${KEY}) SETTINGS index_granularity = 1024`,
    `ALTER TABLE plain.events ${payload}`,
    `INSERT INTO plain.events (${columns}) SELECT ${columns} FROM ${database}.events FINAL ` +
      `JOIN (SELECT ${KEY}, ${PAYLOAD.join(', ')} FROM ${database}.event_payloads FINAL) AS p USING (${KEY}) ` +
      `SETTINGS join_algorithm = 'full_sorting_merge'`,
    'OPTIMIZE TABLE plain.events FINAL',
  ];
}
