// Compares partition keys of the tables of rows: `node compare-partitions.cjs <month|logMonth|year|none> [events]`
// prints milliseconds (p50/p95) of typical queries before and after a batch whose events start in 1,200 months.
// Reads `dist`. The figures are in docs/adr/019-partitions-by-year.md.
const { randomUUID } = require('node:crypto');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { ChdbEngine } = require('../dist/chdb/chdb-engine.js');
const { encodeEventRow } = require('@assay/event-rows');
const { DEFAULT_QUERY_LIMITS } = require('../dist/sql/engine/engine.js');
const { SqlEventStore } = require('../dist/sql/sql-event-store.js');

const DAY = 86_400_000;
const SPAN = 14 * 30 * DAY;
const FIRST = Date.UTC(2025, 9, 5);
const PER_BATCH = 2_000;
const PER_SESSION = 20;
const PROJECTS = ['big', 'big', 'big', 'p1', 'p2', 'p3'];
/** Partition key, and a column that it needs. Without the log's clock, `logMonth` takes the start as its time. */
const SCHEMES = {
  month: ['toYYYYMM(start_at)'],
  logMonth: ['toYYYYMM(logged)', ', `logged` DateTime DEFAULT start_at'],
  year: ['least(greatest(toYear(start_at), 2025), 2032)'],
  none: ['tuple()'],
};
const [scheme = 'year', events = '100000'] = process.argv.slice(2);
const EVENTS = Number(events);

async function usePartitions(engine, [key, column = '']) {
  for (const table of ['events', 'event_payloads']) {
    const where = `database = 'compared' AND name = '${table}'`;
    const sql = `SELECT create_table_query AS text FROM system.tables WHERE ${where}`;
    const [{ text }] = await engine.query({ sql, bindings: {} });
    const changed = text.replace(/PARTITION BY .* ORDER BY/, `PARTITION BY ${key} ORDER BY`);
    await engine.command(`DROP TABLE compared.${table} SYNC`);
    await engine.command(changed.replace('`ver` UInt64', `\`ver\` UInt64${column}`));
  }
}

function makeEvent(index, session) {
  const text = `${'lorem ipsum dolor sit amet '.repeat(20)}${Math.random()}`;
  const isSession = index % PER_SESSION === 0;
  const ids = { project_id: session.project, session_id: session.id, parent_id: null, children_ids: [] };
  const start_time = FIRST + (SPAN * index) / EVENTS;
  const metadata = { customer: `c${index % 1_000}`, score: Math.random(), prompt_tokens: 5 };
  return {
    ...ids,
    event_id: isSession ? session.id : randomUUID(),
    event_type: isSession ? 'session' : 'model',
    event_name: `n${index % 50}`,
    source: 'bench',
    start_time,
    end_time: start_time + 100,
    duration: 100,
    error: null,
    inputs: { text },
    outputs: { text },
    config: { model: 'm' },
    metadata,
    metrics: {},
    feedback: {},
    user_properties: {},
    origin: 'sent',
  };
}

const versions = { next: 1 };
const rowOf = (event) => ({ bytes: Buffer.from(encodeEventRow(event)), version: versions.next++ });
const write = (store, rows) => store.writer.write({ rows, tombstones: [], changes: [], token: randomUUID() });

/** Writes events in the order of their start, with 2 % of updates; returns a sample of the large project. */
async function fill(store) {
  const sessions = Array.from({ length: EVENTS / PER_SESSION }, (_, index) => ({
    id: randomUUID(),
    project: PROJECTS[index % PROJECTS.length],
  }));
  const sample = [];
  for (let from = 0; from < EVENTS; from += PER_BATCH) {
    const batch = Array.from({ length: PER_BATCH }, (_, index) =>
      makeEvent(from + index, sessions[Math.floor((from + index) / 1_000) * 50 + (index % 50)]),
    );
    sample.push(...batch.filter(({ project_id }) => project_id === 'big').slice(0, 3));
    const updates = sample.slice(-30).map((event) => ({ ...event, metrics: { score: 1 } }));
    await write(store, [...batch, ...updates].map(rowOf));
  }
  return sample;
}

async function measure(store, sample, phase) {
  const query = (fields) =>
    store.events.search('big', { filters: [], limit: 100, offset: 0, ordered: true, ...fields });
  const is = (field, value) => ({ filters: [{ field, operator: 'is', type: 'string', value }] });
  const some = sample.slice(0, 50);
  const between = (run, days) => ({ from: FIRST + run * 10 * DAY, to: FIRST + (run * 10 + days) * DAY });
  const cases = {
    newest100: () => query({}),
    session: (run) => query(is('session_id', sample[run].session_id)),
    day: (run) => query(between(run, 1)),
    days30: (run) => query(between(run, 30)),
    metadata: (run) => query(is('metadata.customer', `c${run}`)),
    byId: (run) => store.events.find('big', sample[run].event_id),
    states50: () => store.states.read(some.map((event) => ({ projectId: 'big', eventId: event.event_id }))),
    rollups50: () =>
      store.sessions.rollups(
        'big',
        some.map((event) => event.session_id),
      ),
  };
  const figures = { scheme, phase };
  for (const [name, run] of Object.entries(cases)) {
    const times = [];
    for (let index = 0; index < 30; index++) {
      const startedAt = performance.now();
      await run(index);
      times.push(performance.now() - startedAt);
    }
    times.sort((one, other) => one - other);
    figures[name] = `${times[15].toFixed(0)}/${times[28].toFixed(0)}`;
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

(async () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-partitions-'));
  const engine = new ChdbEngine({ dir, readers: 2, queries: 2, limits: DEFAULT_QUERY_LIMITS });
  const shares = { concurrency: 2, perProject: 2, maxWaiting: 100 };
  const options = { limits: DEFAULT_QUERY_LIMITS, shares, settleMs: 0 };
  const store = new SqlEventStore(engine, { database: 'compared' }, options);
  await store.administration.migrate();
  await usePartitions(engine, SCHEMES[scheme]);
  const sample = await fill(store);
  await measure(store, sample, 'filled');
  const months = Array.from({ length: 1_200 }, (_, month) =>
    rowOf({
      ...sample[0],
      project_id: 'other',
      event_id: randomUUID(),
      start_time: Date.UTC(2000, month, 5),
    }),
  );
  const startedAt = performance.now();
  await write(store, months).catch((error) => process.stdout.write(`refused: ${error.message}\n`));
  process.stdout.write(`${scheme}: 1,200 months in ${(performance.now() - startedAt).toFixed(0)} ms\n`);
  await measure(store, sample, 'after 1,200 months');
  await store.administration.close();
  rmSync(dir, { recursive: true, force: true });
})();
