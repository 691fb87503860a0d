// Records the tables and statements of this release, for the releases after it: `node record-schema.cjs VERSION > former-schema-VERSION.json`.
// VERSION is the last migration of the tables. Writes every statement that creates them, and the inserts and reads of a store with a few
// events, with their rows. Reads `dist`. `former-schema.test.ts` runs them on later tables. A recorded file never changes.
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { ChdbEngine } = require('../dist/chdb/chdb-engine.js');
const { encodeEventRow } = require('@assay/event-rows');
const { DEFAULT_QUERY_LIMITS } = require('../dist/sql/engine/engine.js');
const { FlaggedIds } = require('../dist/sql/read/hints/flagged-ids.js');
const { migrate } = require('../dist/sql/schema/migrate.js');
const { migrations } = require('../dist/sql/schema/migrations.js');
const { SqlEventStore } = require('../dist/sql/sql-event-store.js');

const topology = { database: 'former' };
const projectId = 'project-of-a-former-release';
const version = Number(process.argv[2]);
const definitions = [];
const inserts = [];
const reads = [];

/** Events with fixed ids and times. */
const events = Array.from({ length: 4 }, (_, index) => ({
  event_id: `00000000-0000-4000-8000-00000000000${index}`,
  session_id: '00000000-0000-4000-8000-000000000009',
  project_id: projectId,
  event_type: 'model',
  event_name: `answer ${index}`,
  source: 'former',
  start_time: 1_790_000_000_000 + index,
  end_time: 1_790_000_000_500 + index,
  inputs: { question: `why ${index}` },
  outputs: { answer: 'because' },
  config: { model: 'm' },
  metadata: { tier: 'gold', cost: 0.5 },
  metrics: { score: index },
  feedback: {},
  user_properties: {},
  children_ids: [],
}));

function recording(engine) {
  const read = async (query, call) => {
    const rows = await call();
    if (JSON.stringify(query.bindings).includes(projectId)) reads.push({ ...query, rows });
    return rows;
  };
  return {
    command: (sql) => definitions.push(sql) && engine.command(sql),
    insert: ({ parts, ...insert }) => {
      inserts.push({ ...insert, base64: Buffer.concat(parts).toString('base64') });
      return engine.insert({ ...insert, parts });
    },
    query: (query) => read(query, () => engine.query(query)),
    queryForClient: (query, signal) => read(query, () => engine.queryForClient(query, signal)),
    bytesForClient: (query, signal) => engine.bytesForClient(query, signal),
    stream: (query, onRows) => engine.stream(query, onRows),
    close: () => engine.close(),
  };
}

async function record() {
  const dir = mkdtempSync(join(tmpdir(), 'assay-record-schema-'));
  const engine = recording(new ChdbEngine({ dir, readers: 1, queries: 1, limits: DEFAULT_QUERY_LIMITS }));
  const released = migrations(topology).filter((migration) => migration.version <= version);
  await migrate(engine, topology, () => released);
  const shares = { concurrency: 1, perProject: 1, maxWaiting: 10 };
  const options = { limits: DEFAULT_QUERY_LIMITS, shares, settleMs: 0, flagged: new FlaggedIds() };
  const store = new SqlEventStore(engine, topology, options);
  const rowOf = (event, at) => ({ bytes: encodeEventRow(event), version: at });
  const write = (token, batch) =>
    store.writer.write({ token, rows: [], tombstones: [], changes: [], ...batch });
  const [first, second, third, late] = events;
  await write('before', { rows: [first, second, third].map((event, index) => rowOf(event, index + 1)) });
  const { event_id: eventId, session_id: sessionId, start_time: startTime } = second;
  await write('after', {
    rows: [rowOf({ ...first, metrics: { score: 9 } }, 11), rowOf(late, 12)],
    tombstones: [{ projectId, eventId, sessionId, startTime, version: 13 }],
    changes: [{ projectId, eventId, patch: {}, deleted: true, version: 13 }],
  });
  for (const filters of [[], [{ field: 'inputs.question', operator: 'is', value: 'why 3', type: 'string' }]])
    await store.events.search(projectId, { filters, limit: 10, page: 1, offset: 0 });
  await store.events.find(projectId, third.event_id);
  await store.states.read(events.map((event) => ({ projectId, eventId: event.event_id })));
  process.stdout.write(`${JSON.stringify({ version, definitions, inserts, reads }, null, 2)}\n`);
  await store.administration.close();
  rmSync(dir, { recursive: true, force: true });
}

void record();
