// A process with its own store: `write <from>` writes batches and prints the number of each once it is
// written, `count` prints the number of stored events. It may be killed at any moment.
const { createHash } = require('node:crypto');
const { encodeEventRow } = require('@assay/event-rows');
const adapters = { ...require('../dist/index.js'), ...require('../dist/chdb/create-chdb-event-store.js') };

const PROJECT = 'killed';
const EVENTS_PER_BATCH = 20;
const [location, mode, from] = process.argv.slice(2);
const { create, options } = JSON.parse(location);

function eventOf(batch, index) {
  const hex = createHash('sha256').update(`${batch}/${index}`).digest('hex');
  const event_id = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-');
  const text = {
    project_id: PROJECT,
    event_id,
    session_id: event_id,
    parent_id: null,
    event_name: 'n',
    source: 's',
    origin: 'sent',
  };
  const objects = {
    inputs: {},
    outputs: { index },
    config: {},
    metadata: {},
    metrics: { batch },
    feedback: {},
    user_properties: {},
  };
  return {
    ...text,
    ...objects,
    children_ids: [],
    event_type: 'tool',
    start_time: 1.7e12 + batch,
    end_time: null,
    duration: null,
    error: null,
  };
}

async function write(store) {
  for (let batch = Number(from); ; batch++) {
    const rows = Array.from({ length: EVENTS_PER_BATCH }, (_, index) => ({
      bytes: encodeEventRow(eventOf(batch, index)),
      version: batch * EVENTS_PER_BATCH + index + 1,
    }));
    await store.writer.write({ rows, tombstones: [], changes: [], token: `killed-${batch}` });
    process.stdout.write(`${batch}\n`);
  }
}

async function count(store) {
  const { events: page, total } = await store.events.search(PROJECT, {
    filters: [],
    limit: 1,
    offset: 0,
    ordered: true,
  });
  const known = new Set();
  await store.states.knownIds((ids) => ids.forEach((id) => known.add(id)));
  const { length: incomplete } = await store.administration.rowsWithoutPayload(10);
  process.stdout.write(
    `${JSON.stringify({ incomplete, total, known: known.size, highest: page[0].metrics.batch })}\n`,
  );
  await store.administration.close();
}

(async () => {
  const store = adapters[create](options);
  await store.administration.migrate();
  await store.administration.repair();
  await (mode === 'write' ? write(store) : count(store));
})();
