// Plain SQL on a copy of an event store, as a yardstick for the queries of the product: `node plain-tables.cjs <folder>`
// copies the newest rows of the events of one project into one merged table without versions, sends `{ parts, projectId }` (active
// parts of the store itself), and responds to each `{ sql, runs }` with `{ latencies, cpuMs }`. Reads `dist`.
const { ChdbEngine } = require('../dist/chdb/chdb-engine.js');
const { DEFAULT_QUERY_LIMITS } = require('../dist/sql/engine/engine.js');

const KEY = 'project_id, start_hour, session_id, event_id';
const PAYLOAD = 'inputs, outputs, config';
const [dir] = process.argv.slice(2);
const engine = new ChdbEngine({ dir, readers: 1, queries: 1, limits: DEFAULT_QUERY_LIMITS });
const query = (sql) => engine.queryForClient({ sql, bindings: {} }, new AbortController().signal);

async function copyTables() {
  const stored = `FROM system.columns WHERE database = 'assay' AND table = 'events' AND default_kind = ''`;
  const columns = (await query(`SELECT name ${stored} ORDER BY position`)).map(({ name }) => name).join(', ');
  const statements = [
    'CREATE DATABASE plain',
    `CREATE TABLE plain.events AS assay.events ENGINE = MergeTree ORDER BY (${KEY}) SETTINGS index_granularity = 1024`,
    `ALTER TABLE plain.events ${PAYLOAD.split(', ')
      .map((name) => `ADD COLUMN ${name} String CODEC(ZSTD(1))`)
      .join(', ')}`,
    `INSERT INTO plain.events (${columns}, ${PAYLOAD}) SELECT ${columns}, ${PAYLOAD} FROM assay.events FINAL ` +
      `JOIN (SELECT ${KEY}, ${PAYLOAD} FROM assay.event_payloads FINAL) AS p USING (${KEY}) ` +
      `SETTINGS join_algorithm = 'full_sorting_merge'`,
    'OPTIMIZE TABLE plain.events FINAL',
    'DROP DATABASE assay',
  ];
  const [{ parts }] = await query(
    `SELECT count() AS parts FROM system.parts WHERE active AND database = 'assay' AND table = 'events'`,
  );
  for (const sql of statements) await engine.command(sql);
  const [{ projectId }] = await query('SELECT any(project_id) AS projectId FROM plain.events');
  return { parts, projectId };
}

async function measure({ sql, runs }) {
  const latencies = [];
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run++) {
    const startedAt = performance.now();
    await query(sql);
    latencies.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  return { latencies, cpuMs: (user + system) / 1_000 / runs };
}

void copyTables().then((copied) => {
  process.on('message', (request) => void measure(request).then((figures) => process.send(figures)));
  process.send(copied);
});
process.once('disconnect', () => void engine.close());
