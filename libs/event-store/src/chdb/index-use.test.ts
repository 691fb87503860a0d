import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptFilters, type Event } from '@assay/domain';
import { NEW_YEAR, queryOf, sampleEvent, writeEvents } from '../../test/event-fixture.js';
import { DEFAULT_QUERY_LIMITS, type Query, type SqlEngine } from '../sql/engine/engine.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { ChdbEngine } from './chdb-engine.js';

const HOUR = 3_600_000;
/** Rows per mark of the narrow table and of the payload table. */
const MARKS = { events: 1_024, event_payloads: 64 };
const EVENTS = 20 * MARKS.events;
const EVENTS_PER_SESSION = 16;
const SESSIONS_PER_HOUR = 64;
const [PROJECT, RUN] = ['p1', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'];

const RARE = 'a rare user';
const RARE_AT: readonly number[] = [5_000, 5_001, 5_002];

/** How much of a table a statement reads, by the plan of the engine. */
interface TableRead {
  readonly table: string;
  readonly granules: number;
}

/**
 * How many granules the statements of each query read. An index that no longer works reads all 20 granules of the
 * narrow table, or all 320 of the payloads: this is found without measuring time.
 */
describe('the granules that a query reads', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-indexes-'));
  const engine = new ChdbEngine({ dir, readers: 1, queries: 1, limits: DEFAULT_QUERY_LIMITS });
  const statements: Query[] = [];
  const recording: SqlEngine = {
    command: (sql) => engine.command(sql),
    insert: (insert) => engine.insert(insert),
    query: (query) => engine.query(query),
    stream: (query, onRows) => engine.stream(query, onRows),
    close: () => engine.close(),
    bytesForClient: (query, signal) => engine.bytesForClient(query, signal),
    queryForClient: (query, signal) => {
      statements.push(query);
      return engine.queryForClient(query, signal);
    },
  };
  const store = new SqlEventStore(
    recording,
    { database: 'indexes' },
    {
      limits: DEFAULT_QUERY_LIMITS,
      shares: { concurrency: 1, perProject: 1, maxWaiting: 2 },
      settleMs: 0,
    },
  );
  const events = sampleEvents();
  const newest = queryOf({ limit: 100, from: NEW_YEAR + 18 * HOUR });
  const one = events[EVENTS / 2]!;

  beforeAll(async () => {
    await store.migrate();
    await writeEvents(store, events);
    // Before the first search it is not known that every row has its payload.
    await store.search(PROJECT, queryOf({ limit: 1 }));
  });
  afterAll(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Returns the granules of each table that the statements of a query read together. */
  async function granulesOf(query: () => Promise<unknown>): Promise<Record<string, number>> {
    statements.length = 0;
    await query();
    const total: Record<string, number> = { events: 0, event_payloads: 0 };
    for (const { sql, bindings } of [...statements])
      for (const { table, granules } of await plan({ sql: `EXPLAIN indexes = 1 ${sql}`, bindings }))
        total[table] = (total[table] ?? 0) + granules;
    return total;
  }

  async function plan(query: Query): Promise<TableRead[]> {
    const lines = (await engine.query<{ explain: string }>(query)).map(({ explain }) => explain);
    const tables = lines.flatMap((line) => /ReadFromMergeTree \(indexes\.(\w+)\)/.exec(line)?.[1] ?? []);
    const granules = lines.flatMap((line) => /Parts: \d+ \| Granules: (\d+)/.exec(line)?.[1] ?? []);
    expect(granules).toHaveLength(tables.length);
    return tables.map((table, index) => ({ table, granules: Number(granules[index]) }));
  }

  const runs = [{ runId: RUN, sessionIds: [] }];
  const from = NEW_YEAR + 4 * HOUR;
  const users = acceptFilters([{ field: 'metadata.user', value: RARE }], 'lenient');
  const chart = {
    filters: [],
    from,
    to: from + 2 * HOUR - 1,
    starts: [from, from + HOUR],
    value: { field: 'metrics.score', aggregation: { kind: 'average' } },
    maxGroups: 10,
  } as const;
  const readTree = async () => {
    const sessionId = one.session_id;
    const bounds = await store.sessionBounds(PROJECT, sessionId);
    if (!bounds) throw new Error('expected the session');
    return store.sessionTree(PROJECT, { sessionId, bounds, limit: 100 });
  };

  // A query of several statements may read a granule more than once. A Bloom filter has a false positive now and then.
  it.each<[title: string, read: () => Promise<unknown>, events: number, payloads: number]>([
    ['an event by its id', () => store.find(PROJECT, one.event_id), 4, 2],
    ['the tree of a session', readTree, 6, 0],
    ['the newest page of two hours', () => store.search(PROJECT, newest), 10, 40],
    ['a key of the metadata', () => store.search(PROJECT, queryOf({ filters: users })), 6, 4],
    ['the result of a run', () => store.runEvents(PROJECT, { runs, filters: [] }), 10, 0],
    ['the scores of listed runs', () => store.runScores(PROJECT, { runs }), 12, 0],
    ['a chart of two hours', () => store.chart(PROJECT, chart), 8, 0],
    ['a grouped chart of two hours', () => store.chart(PROJECT, { ...chart, groupBy: 'event_name' }), 14, 0],
  ])('are few for %s', async (_title, read, inEvents, inPayloads) => {
    const { events: narrow, event_payloads: wide } = await granulesOf(read);
    expect(narrow).toBeGreaterThan(0);
    expect(narrow).toBeLessThanOrEqual(inEvents);
    expect(wide).toBeLessThanOrEqual(inPayloads);
  });

  it('are all of them for a text that is not indexed, so that this test can see the difference', async () => {
    const filters = acceptFilters([{ field: 'error', operator: 'contains', value: 'x' }], 'lenient');
    expect(
      (await granulesOf(() => store.search(PROJECT, queryOf({ filters }))))['events'],
    ).toBeGreaterThanOrEqual(20);
  });
});

/** Events of 20 hours: one session in the middle is the run, and three events have a user of their own. */
function sampleEvents(): Event[] {
  const sessions = Array.from({ length: EVENTS / EVENTS_PER_SESSION }, () => randomUUID());
  return Array.from({ length: EVENTS }, (_, index) => {
    const session = Math.floor(index / EVENTS_PER_SESSION);
    const isRun = session === sessions.length / 2;
    return sampleEvent({
      project_id: PROJECT,
      event_id: index % EVENTS_PER_SESSION === 0 ? sessions[session] : randomUUID(),
      session_id: sessions[session],
      start_time: NEW_YEAR + Math.floor(session / SESSIONS_PER_HOUR) * HOUR + (index % 1_000),
      metadata: { user: RARE_AT.includes(index) ? RARE : `u${index % 100}`, ...(isRun && { run_id: RUN }) },
      metrics: { score: index % 2 },
    });
  });
}
