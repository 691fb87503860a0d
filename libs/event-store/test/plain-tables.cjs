// Plain SQL on a copy of an event store, as a yardstick for the queries of the product: `node plain-tables.cjs <folder>`
// copies the newest rows of the events of one project into one merged table without versions and a narrow one, sends `{ parts, projectId }` (active
// parts of the store itself), and responds to each `{ sql, runs }` with `{ latencies, cpuMs }`. Reads `dist`.
const { ChdbEngine } = require('../dist/chdb/chdb-engine.js');
const { DEFAULT_QUERY_LIMITS } = require('../dist/sql/engine/engine.js');
const {
  copyStatements,
  FORGET_CONDITIONS,
  narrowStatements,
  storedColumns,
} = require('./plain-statements.ts');

const [dir] = process.argv.slice(2);
const engine = new ChdbEngine({ dir, readers: 1, queries: 1, limits: DEFAULT_QUERY_LIMITS });
const query = (sql) => engine.queryForClient({ sql, bindings: {} }, new AbortController().signal);

async function copyTables() {
  const columns = (await query(storedColumns('assay'))).map(({ name }) => name);
  const statements = [...copyStatements('assay', columns), ...narrowStatements(), 'DROP DATABASE assay'];
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
    await engine.command(FORGET_CONDITIONS);
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
