import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import type { SqlEngine } from '../../src/sql/engine/engine.js';
import type { EngineUnderTest } from '../engine-fixture.js';
import { stoppingStore } from '../stopped-writes.js';
import { NEW_YEAR, batchOf, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

const HOUR = 3_600_000;

/** Rows in one of the two tables: a process was killed between its inserts, or one of a release before wrote them. */
export function incompleteContract(engineUnderTest: EngineUnderTest, database: string): void {
  let store: EventStore;
  let engine: SqlEngine;
  beforeAll(async () => {
    store = engineUnderTest.open(database);
    engine = engineUnderTest.engine();
    await store.administration.migrate();
  });
  afterAll(() => Promise.all([store.administration.close(), engine.close()]));
  afterEach(async () => {
    await store.administration.repair();
    expect(await store.administration.rowsWithoutPayload(10)).toEqual([]);
  });

  const removeFrom = (table: 'events' | 'event_payloads', { event_id, session_id }: Event, where = '1') =>
    engine.command(
      `ALTER TABLE ${database}.${table} DELETE WHERE event_id = '${event_id}' AND session_id = '${session_id}' AND ${where} SETTINGS mutations_sync = 2`,
    );
  const locationOf = (event: Event, version: number) => ({
    projectId: event.project_id,
    eventId: event.event_id,
    sessionId: event.session_id,
    startTime: event.start_time,
    version,
  });
  const keyOf = (event: Event) => ({ projectId: event.project_id, eventId: event.event_id });
  const stateOf = async (event: Event) => [...(await store.states.read([keyOf(event)])).values()];

  it('are known to look-ups, so that they can be removed', async () => {
    const event = sampleEvent({ project_id: newProject() });
    await writeEvents(store, [event], 7);
    await removeFrom('event_payloads', event);
    const tombstone = locationOf(event, 7);
    expect(await stateOf(event)).toStrictEqual([{ incomplete: [tombstone] }]);
    expect(await store.events.find(event.project_id, event.event_id)).toBeUndefined();
    expect(await store.administration.rowsWithoutPayload(10)).toStrictEqual([tombstone]);
    await store.writer.write(batchOf({ tombstones: [tombstone] }));
    expect(await stateOf(event)).toStrictEqual([]);
  });

  it('without the narrow row are not seen, and complete when their batch is written again', async () => {
    const project_id = newProject();
    const [event, other] = [sampleEvent({ project_id }), sampleEvent({ project_id })];
    const { store: stopped, stopAfter } = stoppingStore(engine, database);
    await writeEvents(stopped, [other]);
    stopAfter(2);
    const batch = batchOf({ rows: [{ ...rowOf(event, 5), bytes: Buffer.from(rowOf(event, 5).bytes) }] });
    await expect(stopped.writer.write(batch)).rejects.toThrow('killed');
    const page = await store.events.search(project_id, queryOf());
    expect([page.total, page.events]).toStrictEqual([1, [other]]);
    expect(await stateOf(event)).toStrictEqual([]);
    expect(await store.administration.repair()).toStrictEqual({ removed: 0, completed: 0 });
    stopAfter(Infinity);
    await stopped.writer.write(batch);
    expect((await store.events.search(project_id, queryOf())).total).toBe(2);
    expect(await store.events.find(project_id, event.event_id)).toStrictEqual(event);
  });

  it('of a deleted event are not seen, whichever insert was the last one', async () => {
    const event = sampleEvent({ project_id: newProject() });
    const tombstone = { ...locationOf(event, 8) };
    for (const inserts of [0, 1]) {
      const { store: stopped, stopAfter } = stoppingStore(engine, database);
      await writeEvents(stopped, [event], 5 + inserts);
      stopAfter(inserts);
      await expect(stopped.writer.write(batchOf({ tombstones: [tombstone] }))).rejects.toThrow('killed');
      const { total, events } = await store.events.search(event.project_id, queryOf());
      expect([total, events]).toStrictEqual(inserts === 0 ? [1, [event]] : [0, []]);
    }
    expect(await store.administration.repair()).toStrictEqual({ removed: 1, completed: 0 });
    expect(await store.administration.repair()).toStrictEqual({ removed: 0, completed: 0 });
  });

  it('of deleted events of many hours are all removed by one repair', async () => {
    const project_id = newProject();
    const events = Array.from({ length: 40 }, (_, hour) =>
      sampleEvent({ project_id, start_time: NEW_YEAR - hour * 3 * HOUR }),
    );
    const { store: stopped, stopAfter } = stoppingStore(engine, database);
    await writeEvents(stopped, events);
    stopAfter(1);
    const tombstones = events.slice(1).map((event) => locationOf(event, 100));
    await expect(stopped.writer.write(batchOf({ tombstones }))).rejects.toThrow('killed');
    expect(await store.administration.repair()).toStrictEqual({ removed: 39, completed: 0 });
    expect(await store.administration.repair()).toStrictEqual({ removed: 0, completed: 0 });
    expect((await store.events.search(project_id, queryOf())).events).toStrictEqual(events.slice(0, 1));
  });

  it('of releases before, without a payload, are not counted after a repair and leave no gap in a page', async () => {
    const project_id = newProject();
    const events = Array.from({ length: 30 }, (_, index) =>
      sampleEvent({ project_id, start_time: NEW_YEAR - index }),
    );
    await writeEvents(store, events);
    const [, half, , other] = events;
    for (const event of [half, other]) if (event) await removeFrom('event_payloads', event);
    const whole = events.filter((event) => event !== half && event !== other);
    const first = await store.events.search(project_id, queryOf({ limit: 10 }));
    expect(first.events).toStrictEqual(events.slice(0, 10).filter((event) => whole.includes(event)));
    expect(await store.administration.repair()).toStrictEqual({ removed: 2, completed: 0 });
    const pages = await Promise.all(
      [0, 10, 20].map((offset) => store.events.search(project_id, queryOf({ limit: 10, offset }))),
    );
    expect(pages.map(({ total }) => total)).toStrictEqual([28, 28, 28]);
    expect(pages.flatMap((page) => page.events)).toStrictEqual(whole);
  });

  it('of an event that was moved are joined with the payload of its earlier location', async () => {
    const before = sampleEvent({ project_id: newProject(), outputs: { answer: 'kept' } });
    const after = { ...before, start_time: before.start_time - HOUR };
    await writeEvents(store, [before], 3);
    await store.writer.write(batchOf({ rows: [rowOf(after, 8)] }));
    await removeFrom('events', before, `start_time = ${before.start_time}`);
    await removeFrom('event_payloads', before, 'ver = 8');
    expect(await stateOf(before)).toStrictEqual([{ event: { ...after, version: 3 } }]);
    expect((await store.administration.repair()).completed).toBe(1);
    expect(await store.events.find(before.project_id, before.event_id)).toStrictEqual(after);
  });

  it('are complete after their batch was redelivered, whether they were repaired before or not', async () => {
    for (const isRepaired of [true, false]) {
      const event = sampleEvent({ project_id: newProject() });
      const batch = batchOf({ rows: [rowOf(event, 5)], token: randomUUID() });
      await store.writer.write({
        ...batch,
        rows: [{ ...rowOf(event, 5), bytes: Buffer.from(rowOf(event, 5).bytes) }],
      });
      await removeFrom('event_payloads', event);
      if (isRepaired) await store.administration.repair();
      // The batch is redelivered to another process.
      const restarted = engineUnderTest.open(database);
      await restarted.writer.write({ ...batch, rows: [rowOf(event, 5)] });
      await restarted.administration.close();
      expect(await store.events.find(event.project_id, event.event_id)).toStrictEqual(event);
    }
  });
}
