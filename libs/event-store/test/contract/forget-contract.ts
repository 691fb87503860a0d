import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Event } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import type { SqlEngine } from '../../src/sql/engine/engine.js';
import { ForgettingPass } from '../../src/sql/purge/forget-deletes.js';
import { purgeDeletedStep } from '../../src/sql/purge/purge-deleted.js';
import { SLICE_BOUNDS } from '../../src/sql/purge/slices.js';
import type { EngineUnderTest } from '../engine-fixture.js';
import { batchOf, NEW_YEAR, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';
import {
  deleteById,
  deleteSession,
  deleteWithSession,
  newCanary,
  preventMerges,
  purgeUntilIdle,
  removeRows,
  storeWithCanary,
  tombstoneOf,
  unlimited,
  VALUE_TABLES,
} from '../purge-fixture.js';

const HOUR = 3_600_000;
const MAX_WAIT_MS = 60_000;
const TABLES = [...VALUE_TABLES, 'event_ids'];
const EVERYTHING = { events: 0, event_payloads: 0, event_changes: 0, evaluations: 0, event_ids: 0 };

/** What the store remembers of deletes, in tables whose parts the engine does not merge. */
export function forgetContract(engineUnderTest: EngineUnderTest, database: string): void {
  let store: EventStore;
  let engine: SqlEngine;
  beforeAll(async () => {
    store = engineUnderTest.open(database);
    engine = engineUnderTest.engine();
    await store.administration.migrate();
    await preventMerges(engine, database, TABLES);
  });
  afterAll(() => Promise.all([store.administration.close(), engine.close()]));
  afterEach(async () => {
    await removeRows(engine, database);
    await engine.command(`TRUNCATE TABLE ${database}.event_ids`);
  });

  const anEvent = (fields: Partial<Event> = {}) =>
    sampleEvent({ project_id: newProject(), session_id: randomUUID(), ...fields });
  const found = (event: Event) => store.events.search(event.project_id, queryOf());
  const sessionOf = async ({ project_id, session_id }: Event) => ({
    row: await store.sessions.rows(project_id, [session_id]),
    bounds: await store.sessions.bounds(project_id, session_id),
  });
  const stateOf = async (event: Event) =>
    (await store.states.read([{ projectId: event.project_id, eventId: event.event_id }])).get(
      `${event.project_id}/${event.event_id}`,
    );

  /** Purges and forgets everything that was deleted until then. */
  function forget(forgetBefore = Date.now() + HOUR, bounds = SLICE_BOUNDS, unusedSeconds = 0) {
    const limits = { ...unlimited(), maxStatementBytes: 1024 ** 4, unusedSeconds };
    const pass = new ForgettingPass(engine, { database }, forgetBefore, bounds);
    return purgeUntilIdle(async () => {
      const step = await purgeDeletedStep(engine, { database }, limits, bounds);
      return step.state === 'idle' ? pass.step(limits) : step;
    });
  }

  /** Rows of events in each table, in any version or state. */
  async function rowsOf(events: readonly Event[]): Promise<typeof EVERYTHING> {
    const ids = events.flatMap(({ event_id, session_id }) => [`'${event_id}'`, `'${session_id}'`]).join(', ');
    const counts = { ...EVERYTHING };
    for (const table of TABLES) {
      const [row] = await engine.query<{ rows: number }>({
        sql: `SELECT toFloat64(count()) AS rows FROM ${database}.${table} WHERE event_id IN (${ids})`,
        bindings: {},
      });
      counts[table as keyof typeof counts] = row!.rows;
    }
    return counts;
  }

  it('leaves no row of an event that has expired, and everything of one that has not', async () => {
    const [expired, kept] = [anEvent(), anEvent()];
    await storeWithCanary(store, expired, newCanary());
    await storeWithCanary(store, kept, newCanary());
    const before = { page: await found(kept), state: await stateOf(kept), rows: await rowsOf([kept]) };
    await deleteWithSession(store, [expired]);
    expect(Object.values(await rowsOf([expired])).every((rows) => rows > 0)).toBe(true);

    const steps = await forget();
    expect(steps.filter(({ isForgetting, rows }) => isForgetting && rows > 0).length).toBeGreaterThan(4);
    expect(await rowsOf([expired])).toStrictEqual(EVERYTHING);
    expect((await found(expired)).total).toBe(0);
    expect(await stateOf(expired)).toBeUndefined();
    const after = { page: await found(kept), state: await stateOf(kept), rows: await rowsOf([kept]) };
    expect(after).toStrictEqual(before);
    expect(await forget()).toStrictEqual([]);
  });

  it('stores an event again that comes after its delete is forgotten, as a new one', async () => {
    const event = anEvent();
    await writeEvents(store, [event], 10);
    await deleteWithSession(store, [event]);
    await forget();
    await writeEvents(store, [event], 5);
    expect((await found(event)).events).toStrictEqual([event]);
    expect(await store.events.find(event.project_id, event.event_id)).toStrictEqual(event);
  });

  it.each([
    ['its id', (event: Event) => deleteById(store, event), (event: Event) => event.event_id],
    ['its session', (event: Event) => deleteSession(store, event), (event: Event) => event.session_id],
  ])('remembers for ever that an event was deleted by %s', async (_title, remove, flagged) => {
    const event = anEvent();
    await storeWithCanary(store, event, newCanary());
    await remove(event);
    await forget();
    const { event_changes: changes, ...others } = await rowsOf([event]);
    expect(others).toStrictEqual({ events: 0, event_payloads: 0, evaluations: 0, event_ids: 0 });
    expect(changes).toBeGreaterThan(0);
    const key = { projectId: event.project_id, eventId: flagged(event) };
    expect((await store.states.changeFlags([key])).get(`${key.projectId}/${key.eventId}`)).toMatchObject({
      deleted: true,
    });
  });

  it('remembers deletes that are too recent, also where the same event was deleted before', async () => {
    const event = anEvent();
    await writeEvents(store, [event], 10);
    await deleteWithSession(store, [event]);
    const location = 'project_id, event_id, session_id, start_at, start_hour';
    await engine.command(
      `INSERT INTO ${database}.events (${location}, start_time, stored_at, end_time, ver, is_deleted) ` +
        `SELECT ${location}, start_time, '2026-01-01 00:00:00', ${NEW_YEAR}, 50, 1 FROM ${database}.events LIMIT 1`,
    );
    const steps = await forget(Date.now() - HOUR);
    expect(steps.filter(({ isForgetting, rows }) => isForgetting && rows > 0)).toStrictEqual([]);
    expect(await rowsOf([event])).toMatchObject({ events: 2, event_payloads: 1, event_ids: 2 });
    await forget();
    expect(await rowsOf([event])).toStrictEqual(EVERYTHING);
  });

  it('rewrites no part of which little can go', async () => {
    const project_id = newProject();
    const events = Array.from({ length: 20 }, () => anEvent({ project_id }));
    const [expired, ...kept] = events as [Event, ...Event[]];
    await writeEvents(store, events, 10);
    const tombstones = [tombstoneOf(expired, Number.MAX_SAFE_INTEGER)];
    await store.writer.write(batchOf({ rows: kept.slice(0, 9).map((one) => rowOf(one, 50)), tombstones }));
    const before = await store.events.search(project_id, queryOf());
    const steps = await forget();
    expect(steps.filter(({ isForgetting, rows }) => isForgetting && rows > 0)).toStrictEqual([]);
    expect(await store.events.search(project_id, queryOf())).toStrictEqual(before);
  });

  it('keeps what an event has that was relocated, and one that was written to its location again', async () => {
    const [relocated, back] = [anEvent(), anEvent()];
    await storeWithCanary(store, relocated, newCanary());
    const target = { ...relocated, session_id: randomUUID(), inputs: { q: 'moved' } };
    const closed = [tombstoneOf(relocated, Number.MAX_SAFE_INTEGER)];
    await store.writer.write(batchOf({ rows: [rowOf(target, 20)], tombstones: closed }));
    const later = { ...back, start_time: NEW_YEAR + 2 * HOUR };
    await writeEvents(store, [back], 10);
    await store.writer.write(batchOf({ rows: [rowOf(later, 20)], tombstones: [tombstoneOf(back, 20)] }));
    await store.writer.write(batchOf({ rows: [rowOf(back, 30)], tombstones: [tombstoneOf(later, 30)] }));
    const look = async () => ({
      pages: [await found(relocated), await found(back)],
      states: [await stateOf(relocated), await stateOf(back)],
      sessions: [await sessionOf(target), await sessionOf(back)],
    });
    const before = await look();
    expect(before.pages.map(({ total }) => total)).toStrictEqual([1, 1]);
    const { evaluations, event_changes } = await rowsOf([relocated]);
    await forget();
    expect(await look()).toStrictEqual(before);
    expect(await rowsOf([relocated])).toMatchObject({ evaluations, event_changes });
  });

  it('finds the other events of a session in the same hour, and the session by its first event', async () => {
    const session_id = randomUUID();
    const root = anEvent({ session_id, event_id: session_id, event_type: 'session', parent_id: null });
    const { project_id } = root;
    const children = [1, 2, 3].map((minute) =>
      anEvent({
        project_id,
        session_id,
        parent_id: session_id,
        start_time: root.start_time + minute * 60_000,
      }),
    );
    await writeEvents(store, [root, ...children], 10);
    await deleteWithSession(store, [root, children[0]!]);
    const before = { page: await found(root), session: await sessionOf(root) };
    expect(before.page.total).toBe(2);
    await forget();
    expect({ page: await found(root), session: await sessionOf(root) }).toStrictEqual(before);
    await deleteWithSession(store, children.slice(1));
    await forget();
    expect(await rowsOf([root, ...children])).toStrictEqual(EVERYTHING);
  });

  it('keeps the order of summaries while a session has an event, also one of another hour', async () => {
    const session_id = randomUUID();
    const project_id = newProject();
    const [expired, kept] = [0, 9].map((hour) =>
      anEvent({ project_id, session_id, start_time: NEW_YEAR + hour * HOUR }),
    ) as [Event, Event];
    const key = { projectId: project_id, eventId: session_id };
    const summary = async () => (await store.sessions.summaries([key])).get(`${project_id}/${session_id}`);
    await writeEvents(store, [expired], 10);
    await writeEvents(store, [kept], 20);
    await deleteWithSession(store, [expired]);
    const before = await summary();
    expect(before?.numEvents).toBe(1);
    await forget();
    expect(await summary()).toStrictEqual(before);
    expect(await rowsOf([expired])).toMatchObject({ event_payloads: 0 });
    await deleteWithSession(store, [kept]);
    await forget();
    expect(await summary()).toBeUndefined();
    expect(await rowsOf([expired, kept])).toStrictEqual(EVERYTHING);
  });

  it('leaves keys of a moment ago, whose rows may still be written', async () => {
    const event = anEvent();
    await writeEvents(store, [event], 10);
    await deleteWithSession(store, [event]);
    await forget(undefined, undefined, HOUR);
    expect(await rowsOf([event])).toMatchObject({ event_payloads: 0, event_ids: 2, events: 1 });
    await forget();
    expect(await rowsOf([event])).toStrictEqual(EVERYTHING);
  });

  it('forgets all keys in one pass, whose rewrites make their parts new', async () => {
    const project_id = newProject();
    const events = [0, 1, 2, 3].map((hour) => anEvent({ project_id, start_time: NEW_YEAR + hour * HOUR }));
    await writeEvents(store, events, 10);
    await deleteWithSession(store, events);
    const settledSeconds = 3;
    const ages = `SELECT toFloat64(toUnixTimestamp(now())) - toFloat64(max(toUnixTimestamp(modification_time))) AS age FROM system.parts`;
    const areSettled = async () => {
      const where = `WHERE active AND database = '${database}' AND table = 'event_ids'`;
      const [found] = await engine.query<{ age: number }>({ sql: `${ages} ${where}`, bindings: {} });
      return found!.age >= settledSeconds;
    };
    for (const deadline = Date.now() + MAX_WAIT_MS; !(await areSettled()); await delay(100))
      expect(Date.now()).toBeLessThan(deadline);
    await forget(undefined, { perSlice: 1, perRewrite: 2 }, settledSeconds);
    expect(await rowsOf(events)).toStrictEqual(EVERYTHING);
  });

  it('forgets in slices the events of one session, and finds those of another that stay', async () => {
    const project_id = newProject();
    const eventsOf = (session_id: string) =>
      Array.from({ length: 5 }, () => anEvent({ project_id, session_id }));
    const [expired, [kept, ...others]] = [
      eventsOf(randomUUID()),
      eventsOf(randomUUID()) as [Event, ...Event[]],
    ];
    await writeEvents(store, [...expired, kept, ...others], 30);
    await deleteWithSession(store, [...expired, ...others]);
    const before = await sessionOf(kept);
    expect(before.bounds).toBeDefined();
    // Whichever slice an event is in, it alone is worth a rewrite.
    await forget(undefined, { perSlice: 1, perRewrite: 2 });
    expect(await rowsOf(expired)).toStrictEqual(EVERYTHING);
    expect(await sessionOf(kept)).toStrictEqual(before);
    // The row, its key, and that of the hour of its session.
    expect(await rowsOf([kept])).toStrictEqual({ ...EVERYTHING, events: 1, event_payloads: 1, event_ids: 2 });
  });

  it('forgets in slices what is too much for one statement, beside another process', async () => {
    const project_id = newProject();
    const event = (hour: number) => anEvent({ project_id, start_time: NEW_YEAR + hour * HOUR });
    const expired = [0, 0, 0, 1, 2, 3_000].map(event);
    const kept = [0, 1, 9_000].map(event);
    await storeWithCanary(store, expired[0]!, newCanary());
    await writeEvents(store, [...expired, ...kept], 30);
    await deleteWithSession(store, expired);
    const before = await store.events.search(project_id, queryOf());
    const bounds = { perSlice: 2, perRewrite: 4 };
    await Promise.all([forget(undefined, bounds), forget(undefined, bounds)]);
    await forget(undefined, bounds);
    expect(await rowsOf(expired)).toStrictEqual(EVERYTHING);
    expect(await store.events.search(project_id, queryOf())).toStrictEqual(before);
  });
}
