const KEY = 'project_id, start_hour, session_id, event_id';
const PAYLOAD = ['inputs', 'outputs', 'config'];

/** Returns the statement that lists the names of the stored columns of events, in their order. */
export function storedColumns(database: string): string {
  const condition = `database = '${database}' AND table = 'events' AND default_kind = ''`;
  return `SELECT name FROM system.columns WHERE ${condition} ORDER BY position`;
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
