import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptFilters, NEWEST_FIRST, type Event } from '@assay/domain';
import { NEW_YEAR, queryOf, sampleEvent, writeEvents } from '../../test/event-fixture.js';
import { DEFAULT_QUERY_LIMITS, type Query, type SqlEngine } from '../sql/engine/engine.js';
import { TotalCache } from '../sql/read/hints/total-cache.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { ChdbEngine } from './chdb-engine.js';

const HOUR = 3_600_000;
/** Rows per mark of the narrow table and of the payload table. */
const MARKS = { events: 1_024, event_payloads: 64 };
const EVENTS = 20 * MARKS.events;
const EVENTS_PER_SESSION = 16;
const SESSIONS_PER_HOUR = 64;
const PROJECT = 'p1';
const [RUN, OTHER_RUN] = ['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e', '1c60ae1d-801b-4071-8d2c-40201b1b2e3f'];

const RUN_MEMBERS = { runId: RUN, sessionIds: [] };
const RARE = 'a rare user';
const RARE_AT: readonly number[] = [5_000, 5_001, 5_002];

/** How much of a table statements read, by the plan of the engine. */
interface Amount {
  readonly parts: number;
  readonly granules: number;
}

/**
 * How many parts and granules the statements of each query read. Each table has two parts, the older and the newer half of
 * the events. An index that no longer works reads all 20 granules of the narrow table, or all 320 of the payloads: this is
 * found without measuring time.
 */
describe('the parts and granules that a query reads', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-indexes-'));
  const engine = new ChdbEngine({ dir, readers: 1, queries: 1, limits: DEFAULT_QUERY_LIMITS });
  const statements: Query[] = [];
  const ofStore: Query[] = [];
  const recording: SqlEngine = {
    command: (sql) => engine.command(sql),
    insert: (insert) => engine.insert(insert),
    query: (query) => {
      ofStore.push(query);
      return engine.query(query);
    },
    stream: (query, onTexts) => engine.stream(query, onTexts),
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
      totals: new TotalCache(),
      looksUpEither: true,
    },
  );
  const events = sampleEvents();
  const newest = queryOf({ limit: 100, from: NEW_YEAR + 18 * HOUR });
  const one = events[EVENTS / 4]!;
  const session = { ...one, event_type: 'session' } as const;
  const idsOfHour = new Set(
    events.slice(3 * MARKS.events, 4 * MARKS.events).map((event) => event.session_id),
  );
  const sessionsOfHour = [...idsOfHour].map((eventId) => ({ projectId: PROJECT, eventId }));

  beforeAll(async () => {
    await store.administration.migrate();
    for (const table of Object.keys(MARKS)) await engine.command(`SYSTEM STOP MERGES indexes.${table}`);
    await writeEvents(store, events.slice(0, EVENTS / 2));
    await writeEvents(store, events.slice(EVENTS / 2), EVENTS);
    // Searches then rely on the payloads being complete, and on the number of all events.
    await store.administration.repair();
    await store.events.search(PROJECT, queryOf({ limit: 1 }));
  });
  afterAll(async () => {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Returns what the statements of a query read together, of each table. */
  async function amountsOf(query: () => Promise<unknown>): Promise<Record<keyof typeof MARKS, Amount>> {
    statements.length = 0;
    await query();
    const total = { events: { parts: 0, granules: 0 }, event_payloads: { parts: 0, granules: 0 } };
    for (const { sql, bindings } of [...statements]) {
      const plan = await engine.query<{ explain: string }>({ sql: `EXPLAIN indexes = 1 ${sql}`, bindings });
      for (const { table, parts, granules } of readsOf(plan.map(({ explain }) => explain))) {
        total[table].parts += parts;
        total[table].granules += granules;
      }
    }
    return total;
  }

  function readsOf(lines: readonly string[]) {
    const tables = lines.flatMap((line) => /ReadFromMergeTree \(indexes\.(\w+)\)/.exec(line)?.[1] ?? []);
    const amounts = lines.flatMap((line) => {
      const [, parts, granules] = /Parts: (\d+) \| Granules: (\d+)/.exec(line) ?? [];
      return parts === undefined ? [] : [{ parts: Number(parts), granules: Number(granules) }];
    });
    expect(amounts).toHaveLength(tables.length);
    return amounts.map((amount, index) => ({ table: tables[index] as keyof typeof MARKS, ...amount }));
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
    const bounds = await store.sessions.bounds(PROJECT, sessionId);
    if (!bounds) throw new Error('expected the session');
    return store.sessions.tree(PROJECT, { sessionId, bounds, limit: 100 });
  };

  const is = (field: string, value: string) => acceptFilters([{ field, value }], 'lenient');
  const search = (fields: Parameters<typeof queryOf>[0]) => () =>
    store.events.search(PROJECT, queryOf(fields));
  const quarter = is('metadata.quarter', 'q1');
  const slow = acceptFilters([{ field: 'metrics.latency', operator: '>=', value: 99 }], 'lenient');
  const hours = Array.from({ length: 20 }, (_, hour) => NEW_YEAR + hour * HOUR);
  const day = { ...chart, from: NEW_YEAR, to: NEW_YEAR + 20 * HOUR - 1, starts: hours };
  const pair = { runs: [...runs, { runId: OTHER_RUN, sessionIds: [] }], filters: [] };
  const values = { field: 'metadata.user', filters: [], limit: 20 };
  const twoHours = { from, to: from + 2 * HOUR - 1 };
  const page = { filters: [], sort: NEWEST_FIRST, limit: 100, payloadPaths: [] };
  const otherPlace = { filters: users, from: NEW_YEAR + 10 * HOUR, limit: 10, ordered: false };

  // The number of statements of each query, which cost something before they read anything (ADR 039). Then what they read: a
  // query of several statements may read a granule more than once. A Bloom filter has a false positive now and then.
  it.each<
    [
      title: string,
      read: () => Promise<unknown>,
      count: number,
      inTables: readonly [events: Amount, payloads: Amount],
    ]
  >([
    ['an event by its id', () => store.events.find(PROJECT, one.event_id), 2, [few(2, 4), few(1, 2)]],
    ['a whole session', () => store.sessions.read(PROJECT, one.session_id, 100), 2, [few(2, 3), few(1, 3)]],
    ['the tree of a session', readTree, 3, [few(6, 6), few(0, 0)]],
    ['a session by search', search({ filters: is('session_id', one.session_id) }), 2, [few(2, 3), few(1, 3)]],
    [
      'a session by search with derived values',
      () =>
        store.events.search(PROJECT, queryOf({ filters: is('session_id', one.session_id) }), {
          withDerived: true,
        }),
      2,
      [few(2, 3), few(1, 3)],
    ],
    [
      'an event by its id with derived values',
      () => store.events.findWithDerived(PROJECT, one.event_id),
      3,
      [few(4, 7), few(1, 2)],
    ],
    ['an event by search', search({ filters: is('event_id', one.event_id) }), 2, [few(2, 4), few(1, 3)]],
    ['the newest page of two hours', () => store.events.search(PROJECT, newest), 3, [few(3, 8), few(1, 20)]],
    ['the newest page after it was counted', search({ limit: 100 }), 2, [few(1, 6), few(1, 20)]],
    ['the newest thousand', search({ limit: 1_000 }), 2, [few(1, 6), few(1, 40)]],
    ['its third page', search({ limit: 100, offset: 200 }), 2, [few(1, 6), few(1, 20)]],
    [
      'a page of rows without payloads',
      () => store.events.rows(PROJECT, { ...page, previewChars: 0, count: 'none' }),
      3,
      [few(3, 8), few(1, 20)],
    ],
    ['a key of the metadata', search({ filters: users }), 3, [few(3, 6), few(1, 4)]],
    ['a key of the metadata at another time', search(otherPlace), 1, [few(0, 0), few(0, 0)]],
    [
      'a key of the metadata of one event in four',
      search({ filters: quarter, limit: 10 }),
      3,
      [few(4, 24), few(1, 12)],
    ],
    [
      'a range of a metric, one event in a hundred',
      search({ filters: slow, limit: 10 }),
      3,
      [few(4, 24), few(1, 20)],
    ],
    [
      'an export of an hour',
      search({ limit: 7_500, from: NEW_YEAR + 19 * HOUR }),
      3,
      [few(3, 8), few(1, 40)],
    ],
    [
      'the result of a run',
      () => store.aggregates.runEvents(PROJECT, { runs, filters: [] }),
      2,
      [few(5, 8), few(0, 0)],
    ],
    [
      'the result of a run again',
      () => store.aggregates.runEvents(PROJECT, { runs, filters: [] }),
      1,
      [few(2, 8), few(0, 0)],
    ],
    ['the events of a run by search', search({ runs: RUN_MEMBERS }), 3, [few(9, 14), few(1, 4)]],
    [
      'the comparison of two runs',
      () => store.aggregates.runEvents(PROJECT, pair),
      2,
      [few(6, 18), few(0, 0)],
    ],
    [
      'the scores of listed runs',
      () => store.aggregates.runScores(PROJECT, { runs }),
      1,
      [few(6, 12), few(0, 0)],
    ],
    ['a chart of two hours', () => store.aggregates.chart(PROJECT, chart), 2, [few(1, 4), few(0, 0)]],
    [
      'a grouped chart of two hours',
      () => store.aggregates.chart(PROJECT, { ...chart, groupBy: 'event_name' }),
      2,
      [few(2, 8), few(0, 0)],
    ],
    [
      'a chart of a value that sessions derive, of two hours without a session',
      () => store.aggregates.chart(PROJECT, { ...chart, value: { ...chart.value, field: 'duration' } }),
      1,
      [few(6, 12), few(0, 0)],
    ],
    ['a chart by hour of all events', () => store.aggregates.chart(PROJECT, day), 2, [few(2, 20), few(0, 0)]],
    [
      'the values of a field of two hours',
      () => store.aggregates.fieldValues(PROJECT, { ...values, ...twoHours }),
      2,
      [few(6, 12), few(0, 0)],
    ],
    [
      'the values of a field of all events',
      () => store.aggregates.fieldValues(PROJECT, values),
      2,
      [few(6, 60), few(0, 0)],
    ],
    ['what is derived for an event', () => store.events.derivedOf(PROJECT, [one]), 1, [few(2, 3), few(0, 0)]],
    [
      'what is derived for a session',
      () => store.events.derivedOf(PROJECT, [session]),
      1,
      [few(2, 3), few(0, 0)],
    ],
    ['the children of an event', () => store.sessions.childrenOf(PROJECT, [one]), 1, [few(2, 3), few(0, 0)]],
    [
      'the roll-up of a session',
      () => store.sessions.rollups(PROJECT, [one.session_id]),
      1,
      [few(2, 3), few(0, 0)],
    ],
    [
      'the summaries of the sessions of an hour',
      () => store.sessions.summaries(sessionsOfHour, {}),
      2,
      [few(4, 6), few(0, 0)],
    ],
  ])('are few for %s', async (_title, read, count, [inEvents, inPayloads]) => {
    const { events: narrow, event_payloads: wide } = await amountsOf(read);
    expect(statements).toHaveLength(count);
    for (const name of ['parts', 'granules'] as const) {
      expect(narrow[name]).toBeLessThanOrEqual(inEvents[name]);
      expect(wide[name]).toBeLessThanOrEqual(inPayloads[name]);
    }
  });

  it('are those of the rows themselves for columns other than the id, when the store looks up states', async () => {
    ofStore.length = 0;
    await store.states.read(
      events.slice(0, 20).map(({ event_id: eventId }) => ({ projectId: PROJECT, eventId })),
    );
    const narrow = ofStore.filter(({ sql }) => sql.includes('indexes.events FINAL'));
    expect(narrow).toHaveLength(1);
    for (const { sql, bindings } of narrow) {
      const plan = await engine.query<{ explain: string }>({ sql: `EXPLAIN actions = 1 ${sql}`, bindings });
      const first = plan
        .map(({ explain }) => explain)
        .find((line) => line.includes('Prewhere filter column'));
      expect(first).toContain('event_id');
    }
  });

  it('are as few for several filters on what sessions derive from their events as for one', async () => {
    const isThree = (fields: readonly string[]) =>
      acceptFilters(
        fields.map((field) => ({ field, operator: 'is', type: 'number', value: 3 })),
        'lenient',
      );
    const derived = ['metadata.num_events', 'duration', 'end_time', 'start_time'];
    const [one, all] = [isThree(derived.slice(0, 1)), isThree(derived)];
    const ofSearch = await amountsOf(search({ filters: one }));
    expect(ofSearch.events.granules).toBeGreaterThanOrEqual(40);
    expect(await amountsOf(search({ filters: all }))).toStrictEqual(ofSearch);
    const ofRun = await amountsOf(() => store.aggregates.runEvents(PROJECT, { runs, filters: one }));
    expect(await amountsOf(() => store.aggregates.runEvents(PROJECT, { runs, filters: all }))).toStrictEqual(
      ofRun,
    );
  });

  it('name the sessions of a page that has nearly all events of its hours, instead of each event', async () => {
    const namesOf = async (limit: number) => {
      statements.length = 0;
      await search({ limit })();
      const lists = Object.values(statements.at(-1)?.bindings ?? {}).filter((value) => Array.isArray(value));
      return lists.map(({ length }) => length);
    };
    const [sessions, ...others] = await namesOf(1_000);
    expect(others).toStrictEqual([]);
    expect(sessions).toBeLessThanOrEqual(SESSIONS_PER_HOUR);
    expect(await namesOf(100)).toStrictEqual([100, 100, 100]);
  });

  it('are all of them for a text that is not indexed, so that this test can see the difference', async () => {
    const filters = acceptFilters([{ field: 'error', operator: 'contains', value: 'x' }], 'lenient');
    const { events: narrow } = await amountsOf(() => store.events.search(PROJECT, queryOf({ filters })));
    expect(narrow.parts).toBeGreaterThanOrEqual(2);
    expect(narrow.granules).toBeGreaterThanOrEqual(20);
  });

  it.each([
    ['more', 50],
    ['fewer', 30],
  ])('are those of four statements for a page of %s sessions, also below large ones', async (name, count) => {
    const project = `sessions-${name}`;
    const sessions = Array.from({ length: count }, () => randomUUID());
    const of = (nth: number, fields: Partial<Event>) =>
      sampleEvent({
        ...{ project_id: project, session_id: sessions[nth], start_time: NEW_YEAR + nth * HOUR, ...fields },
      });
    const own = sessions.map((id, nth) => of(nth, { event_id: id, event_type: 'session' }));
    const below = sessions.flatMap((_, nth) => [of(nth, {}), of(nth, {}), of(nth, {})]);
    const ofLarge = Array.from({ length: 2_500 }, () => of(count - 1, {}));
    await writeEvents(store, [...own, ...below, ...ofLarge]);
    const asked = { withSessionPreviews: true, withSessionRollups: true, previewChars: 20 } as const;
    const query = {
      ...page,
      ...asked,
      filters: is('event_type', 'session'),
      limit: 40,
      count: 'none',
    } as const;
    const found = await store.events.rows(project, query);
    const rows = Math.min(count, 40);
    expect([found.rows.length, found.rollups?.size, found.sessionPreviews?.size]).toEqual([rows, rows, rows]);
    await amountsOf(() => store.events.rows(project, query));
    expect(statements).toHaveLength(4);
  });

  it('are all payloads for a text within them, and no second look at the narrow table', async () => {
    const filters = acceptFilters(
      [{ field: 'outputs.answer', operator: 'contains', value: 'nowhere' }],
      'lenient',
    );
    const { events: narrow } = await amountsOf(() => store.events.search(PROJECT, queryOf({ filters })));
    expect(statements).toHaveLength(1);
    expect(narrow.granules).toBeLessThanOrEqual(20);
  });
});

function few(parts: number, granules: number): Amount {
  return { parts, granules };
}

/** Events of 20 hours: a session in the middle and one in the second half are runs, and three events have a user of their own. */
function sampleEvents(): Event[] {
  const sessions = Array.from({ length: EVENTS / EVENTS_PER_SESSION }, () => randomUUID());
  return Array.from({ length: EVENTS }, (_, index) => {
    const session = Math.floor(index / EVENTS_PER_SESSION);
    const runId = new Map([
      [sessions.length / 2, RUN],
      [sessions.length * 0.75, OTHER_RUN],
    ]).get(session);
    return sampleEvent({
      project_id: PROJECT,
      event_id: index % EVENTS_PER_SESSION === 0 ? sessions[session] : randomUUID(),
      session_id: sessions[session],
      start_time: NEW_YEAR + Math.floor(session / SESSIONS_PER_HOUR) * HOUR + (index % 1_000),
      metadata: {
        user: RARE_AT.includes(index) ? RARE : `u${index % 100}`,
        quarter: `q${index % 4}`,
        ...(runId && { run_id: runId }),
      },
      metrics: { score: index % 2, latency: index % 100 },
    });
  });
}
