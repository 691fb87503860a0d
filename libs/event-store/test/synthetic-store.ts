import { setTimeout as delay } from 'node:timers/promises';
import { ChdbEngine } from '../src/chdb/chdb-engine.js';
import type { EventStore } from '../src/event-store.js';
import { DEFAULT_QUERY_LIMITS } from '../src/sql/engine/engine.js';
import { copyIds } from '../src/sql/schema/event-ids.js';
import { SqlEventStore } from '../src/sql/sql-event-store.js';

const DATABASE = 'assay';
/** Rows of one insert. */
const BLOCK = 250_000;
/** Days over which the rows are spread, in the order of their time. */
const DAYS = 20;
const EVENTS_PER_SESSION = 10;
const POLL_MS = 500;
const MAX_POLLS = 600;

/** A store whose narrow rows are made by the engine, many and small. */
export interface SyntheticStore {
  readonly store: EventStore;
  /** Adds narrow rows without payloads and their keys, until a project has about so many, and waits for the merges. */
  readonly fill: (projectId: string, rows: number) => Promise<void>;
}

/** Such a store over an empty folder; closing it closes the engine. */
export async function openSyntheticStore(dir: string, firstStart: number): Promise<SyntheticStore> {
  const engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
  const store = new SqlEventStore(
    engine,
    { database: DATABASE },
    {
      limits: DEFAULT_QUERY_LIMITS,
      shares: { concurrency: 1, perProject: 1, maxWaiting: 2 },
      settleMs: 0,
    },
  );
  await store.administration.migrate();
  let filled = 0;
  const fill = async (projectId: string, rows: number) => {
    const from = filled;
    for (; filled < rows; filled += BLOCK)
      await engine.command(insertOf(projectId, { first: filled, count: BLOCK, rows, firstStart }));
    await engine.command(copyIds({ database: DATABASE }, `ver >= ${VERSION_OFFSET + from}`));
    for (let poll = 0; poll < MAX_POLLS && (await merges(engine)) > 0; poll++) await delay(POLL_MS);
  };
  return { store, fill };
}

const VERSION_OFFSET = 1_000_000;

async function merges(engine: ChdbEngine): Promise<number> {
  const [found] = await engine.query<{ running: number }>({
    sql: 'SELECT toUInt32(count()) AS running FROM system.merges',
    bindings: {},
  });
  return found?.running ?? 0;
}

interface Block {
  readonly first: number;
  readonly count: number;
  /** Those of the whole store. */
  readonly rows: number;
  /** Unix milliseconds. */
  readonly firstStart: number;
}

function insertOf(projectId: string, { first, count, rows, firstStart }: Block): string {
  const session = `intDiv(number, ${EVENTS_PER_SESSION})`;
  const seconds = `intDiv(number * ${DAYS * 86_400}, ${rows})`;
  const values = {
    project_id: `'${projectId}'`,
    event_id: 'generateUUIDv4(number)',
    session_id: `reinterpretAsUUID(toFixedString(unhex(concat(hex(sipHash64(${session})), hex(sipHash64(${session}, 1)))), 16))`,
    start_at: `toDateTime64(${Math.floor(firstStart / 1_000)} + ${seconds}, 3, 'UTC')`,
    start_hour: 'toStartOfHour(start_at)',
    event_type: `'model'`,
    event_name: `'chat'`,
    source: `'synthetic'`,
    start_time: 'toUnixTimestamp64Milli(start_at)',
    metadata: `concat('{"customer":"c', toString(number % 1000), '"}')`,
    attrs: `map('metadata.customer', concat('c', toString(number % 1000)))`,
    complete: 'true',
    payload_bytes: '400',
    ver: `${VERSION_OFFSET} + number`,
    is_deleted: '0',
  };
  const columns = Object.keys(values).join(', ');
  const selected = Object.entries(values).map(([name, value]) => `${value} AS ${name}`);
  return `INSERT INTO ${DATABASE}.events (${columns}) SELECT ${selected.join(', ')} FROM numbers(${first}, ${count})`;
}
