import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import type { SqlEngine } from '../../src/sql/engine/engine.js';
import { readDeletedParts, type DeletedPart } from '../../src/sql/purge/deleted-parts.js';
import { purgeDeletedStep } from '../../src/sql/purge/purge-deleted.js';
import type { EngineUnderTest } from '../engine-fixture.js';
import { stoppingStore } from '../stopped-writes.js';
import { batchOf, NEW_YEAR, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';
import {
  deleteById,
  deleteSession,
  deleteWithSession,
  eventOfBytes,
  newCanary,
  preventMerges,
  purgeAll,
  purgeUntilIdle,
  removeRows,
  storeWithCanary,
  tablesWith,
  tombstoneOf,
  unlimited,
  VALUE_TABLES,
} from '../purge-fixture.js';

const HOUR = 3_600_000;
const YEAR = 366 * 24 * HOUR;

/** What deleted events leave on disk, in tables whose parts the engine does not merge. */
export function purgeContract(engineUnderTest: EngineUnderTest, database: string): void {
  let store: EventStore;
  let other: EventStore;
  let engine: SqlEngine;
  beforeAll(async () => {
    store = engineUnderTest.open(database);
    other = engineUnderTest.open(database);
    engine = engineUnderTest.engine();
    await store.administration.migrate();
    await preventMerges(engine, database);
  });
  afterAll(() => Promise.all([store.administration.close(), other.administration.close(), engine.close()]));
  afterEach(async () => {
    await purgeAll(store);
    expect(await store.administration.deletedValues()).toMatchObject({ rows: 0, bytes: 0 });
    // Every rewrite looks at all parts of its partition, those of earlier tests too.
    await removeRows(engine, database);
  });

  const anEvent = (fields: Partial<Event> = {}) =>
    sampleEvent({ project_id: newProject(), session_id: randomUUID(), ...fields });
  const found = (event: Event) => store.events.search(event.project_id, queryOf());
  const stateOf = async (event: Event) =>
    (await store.states.read([{ projectId: event.project_id, eventId: event.event_id }])).get(
      `${event.project_id}/${event.event_id}`,
    );

  it.each([
    ['its session', (event: Event) => deleteWithSession(store, [event])],
    ['its id', (event: Event) => deleteById(store, event)],
  ])('leaves no value of an event that was deleted by %s in any row of any table', async (_title, remove) => {
    const [event, kept] = [anEvent(), anEvent()];
    const [canary, keptCanary] = [newCanary(), newCanary()];
    await storeWithCanary(store, event, canary);
    await storeWithCanary(store, kept, keptCanary);
    const before = await found(kept);
    const deletedAt = Date.now();
    await remove(event);
    expect(await tablesWith(engine, database, canary)).toStrictEqual(VALUE_TABLES);
    const left = await store.administration.deletedValues();
    expect(left.rows).toBeGreaterThanOrEqual(5);
    expect(left.bytes).toBeGreaterThan(0);
    expect(left.oldest).toBeGreaterThanOrEqual(deletedAt);
    expect(left.oldest).toBeLessThanOrEqual(Date.now());

    const steps = await purgeAll(store);
    expect(steps.map(({ rows, bytes }) => rows > 0 && bytes > 0)).not.toContain(false);
    expect(await tablesWith(engine, database, canary)).toStrictEqual([]);
    expect(await tablesWith(engine, database, keptCanary)).toStrictEqual(VALUE_TABLES);
    expect(await found(kept)).toStrictEqual(before);
    expect((await found(event)).total).toBe(0);
    expect((await store.administration.deletedValues()).rewrittenAt).toBeGreaterThan(deletedAt - 2_000);
    expect(await purgeAll(store)).toStrictEqual([]);
  });

  it('keeps an event deleted when its records are delivered again', async () => {
    const event = anEvent();
    await writeEvents(store, [event], 10);
    await deleteById(store, event);
    await purgeAll(store);
    await writeEvents(store, [event], 10);
    expect((await found(event)).total).toBe(0);
    expect((await store.administration.deletedValues()).rows).toBe(2);
  });

  it('keeps the flags, the identities of updates and the version where it removes an update', async () => {
    const event = anEvent();
    await storeWithCanary(store, event, newCanary());
    const moved = {
      projectId: event.project_id,
      eventId: event.event_id,
      movedTo: randomUUID(),
      deleted: false,
    };
    await store.writer.write(
      batchOf({ changes: [{ ...moved, patch: { metrics: { a: 1 } }, version: 21, updateIds: ['u2'] }] }),
    );
    await deleteWithSession(store, [event]);
    await purgeAll(store);
    expect((await stateOf(event))?.changes).toStrictEqual({
      ...moved,
      patch: {},
      version: 21,
      updateIds: ['u2'],
    });
  });

  it('keeps updates that wait for their event, and those of an event that was relocated', async () => {
    const [waiting, relocated] = [anEvent(), anEvent()];
    const patch = { metrics: { a: 1 } };
    const changesOf = ({ project_id: projectId, event_id: eventId }: Event) => ({
      ...{ projectId, eventId, patch, deleted: false, version: 20 },
    });
    await writeEvents(store, [relocated], 10);
    await store.writer.write(batchOf({ changes: [changesOf(waiting), changesOf(relocated)] }));
    await store.writer.write(
      batchOf({
        rows: [rowOf({ ...relocated, session_id: randomUUID() }, 20)],
        tombstones: [tombstoneOf(relocated, Number.MAX_SAFE_INTEGER)],
      }),
    );
    await purgeAll(store);
    for (const event of [waiting, relocated])
      expect((await stateOf(event))?.changes).toStrictEqual(changesOf(event));
    expect((await found(relocated)).total).toBe(1);
  });

  it('leaves a row that was written to its location again after a tombstone', async () => {
    const event = anEvent();
    await writeEvents(store, [event], 10);
    const later = { ...event, start_time: NEW_YEAR + 2 * HOUR };
    await store.writer.write(batchOf({ rows: [rowOf(later, 20)], tombstones: [tombstoneOf(event, 20)] }));
    await store.writer.write(batchOf({ rows: [rowOf(event, 30)], tombstones: [tombstoneOf(later, 30)] }));
    const before = await found(event);
    expect(before.events).toStrictEqual([event]);
    await purgeAll(store);
    expect(await found(event)).toStrictEqual(before);
  });

  it.each([
    ['its id', (event: Event) => deleteById(store, event)],
    ['its session', (event: Event) => deleteSession(store, event)],
  ])(
    'removes payloads that a killed process left of an event that is deleted by %s later',
    async (_title, remove) => {
      const event = anEvent();
      const [canary, current] = [newCanary(), newCanary()];
      const { store: stopped, stopAfter } = stoppingStore(engine, database);
      // Before the narrow row.
      stopAfter(2);
      const other = { ...event, start_time: event.start_time + HOUR, inputs: { q: canary } };
      await expect(writeEvents(stopped, [other], 10)).rejects.toThrow('killed');
      stopAfter(Infinity);
      await writeEvents(stopped, [{ ...event, inputs: { q: canary } }], 10);
      // Between the tombstone of the narrow row and that of the payload.
      const moved = { ...event, start_time: event.start_time + 2 * HOUR, inputs: { q: current } };
      stopAfter(3);
      const batch = { rows: [rowOf(moved, 20)], tombstones: [tombstoneOf(event, 20)] };
      await expect(stopped.writer.write(batchOf(batch))).rejects.toThrow('killed');
      const before = await found(event);
      expect([before.total, before.events]).toStrictEqual([1, [moved]]);
      await store.administration.repair();
      await purgeAll(store);
      expect(await found(event)).toStrictEqual(before);
      expect(await tablesWith(engine, database, current)).toStrictEqual(['events', 'event_payloads']);

      await remove(moved);
      await purgeAll(store);
      expect(await tablesWith(engine, database, canary)).toStrictEqual([]);
      expect(await tablesWith(engine, database, current)).toStrictEqual([]);
    },
  );

  it('is not begun by a repair for a row that was written again with the version of its tombstone', async () => {
    const [event, other] = [anEvent(), anEvent()];
    await writeEvents(store, [event], 10);
    await store.writer.write(batchOf({ tombstones: [tombstoneOf(event, 10)] }));
    await writeEvents(store, [event], 10);
    // A payload without a row, so that the repair compares the tables.
    const { store: stopped, stopAfter } = stoppingStore(engine, database);
    stopAfter(1);
    await expect(writeEvents(stopped, [other], 10)).rejects.toThrow('killed');
    expect(await store.administration.repair()).toStrictEqual({ removed: 0, completed: 0 });
    expect((await found(event)).events).toStrictEqual([event]);
  });

  it('leaves a payload that is being written to the location of a tombstone', async () => {
    const event = anEvent();
    await writeEvents(store, [event], 10);
    const later = { ...event, start_time: NEW_YEAR + 2 * HOUR };
    await store.writer.write(batchOf({ rows: [rowOf(later, 20)], tombstones: [tombstoneOf(event, 20)] }));
    const back = batchOf({ rows: [rowOf(event, 30)], tombstones: [tombstoneOf(later, 30)] });
    const { store: stopped, stopAfter } = stoppingStore(engine, database);
    stopAfter(1);
    await expect(stopped.writer.write(back)).rejects.toThrow('killed');
    await purgeAll(store);
    stopAfter(Infinity);
    await stopped.writer.write(back);
    expect((await found(event)).events).toStrictEqual([event]);
  });

  it('leaves deletes that are too recent', async () => {
    const event = anEvent();
    await writeEvents(store, [event], 10);
    await deleteWithSession(store, [event]);
    expect(await purgeAll(store, { ...unlimited(), deletedBefore: Date.now() - HOUR })).toStrictEqual([]);
    expect((await store.administration.deletedValues()).rows).toBe(2);
  });

  it('purges deletes of earlier releases, whose time is not known', async () => {
    const event = anEvent();
    await writeEvents(store, [event], 10);
    const row = { project_id: event.project_id, event_id: event.event_id, session_id: event.session_id };
    await engine.insert({
      table: `${database}.events_ingest`,
      format: 'JSONEachRow',
      parts: [
        Buffer.from(`${JSON.stringify({ ...row, start_time: event.start_time, ver: 30, is_deleted: 1 })}\n`),
      ],
      settings: {},
    });
    const left = await store.administration.deletedValues();
    expect(left).toMatchObject({ rows: 2 });
    expect(left.oldest).toBeUndefined();
    expect(await purgeAll(store, { ...unlimited(), deletedBefore: 1 })).toHaveLength(2);
  });

  it('rewrites within the limit, first the parts with most of it, and a larger part only where that is allowed', async () => {
    const project_id = newProject();
    const years = [NEW_YEAR, NEW_YEAR + YEAR, NEW_YEAR + 2 * YEAR];
    const events = years.map((start_time, index) =>
      eventOfBytes({ project_id, session_id: randomUUID(), start_time }, [40_000, 400_000, 4_000][index]!),
    );
    for (const event of events) await writeEvents(store, [event], 10);
    await deleteWithSession(store, events);
    const limits = { ...unlimited(), allowsLargerPart: false };

    expect(await purgeAll(store, { ...limits, maxBytes: 500 })).toStrictEqual([]);
    const small = await purgeAll(store, { ...limits, maxBytes: 100_000 });
    expect(small.map(({ bytes }) => bytes <= 100_000)).not.toContain(false);
    expect(small[0]!.bytes).toBeGreaterThan(40_000);
    expect(small.slice(1).every(({ bytes }) => bytes < 20_000)).toBe(true);
    const left = await store.administration.deletedValues();
    expect(left.rows).toBe(1);
    expect(left.bytes).toBeGreaterThan(400_000);
    const [large] = await purgeAll(store, { ...limits, maxBytes: 100_000, allowsLargerPart: true });
    expect(large!.bytes).toBeGreaterThan(400_000);
  });

  it('removes in slices what is too much for one statement, and nothing else', async () => {
    const project_id = newProject();
    const [canary, keptCanary] = [newCanary(), newCanary()];
    const event = (hour: number) =>
      sampleEvent({ project_id, session_id: randomUUID(), start_time: NEW_YEAR + hour * HOUR });
    // More in one hour than a slice has, and in several hours, with events that stay.
    const deleted = [0, 0, 0, 1, 2, 3_000].map(event);
    const kept = [0, 1, 5, 9_000].map(event);
    await storeWithCanary(store, deleted[0]!, canary);
    await storeWithCanary(store, kept[0]!, keptCanary);
    const withCanary = (events: readonly Event[], text: string) =>
      events.map((one) => ({ ...one, inputs: { q: text } }));
    await writeEvents(store, [...withCanary(deleted, canary), ...withCanary(kept, keptCanary)], 30);
    await deleteWithSession(store, deleted);
    const before = await store.events.search(project_id, queryOf());
    const whole = await readDeletedParts(engine, { database });
    const bounds = { perSlice: 2, perRewrite: 4 };
    const sliced = await readDeletedParts(engine, { database }, bounds);
    const described = (parts: readonly DeletedPart[]) =>
      parts
        .map(({ slices: _, table, ...part }) => ({ ...part, table: table.table }))
        .sort((one, other) => (one.table + one.name < other.table + other.name ? -1 : 1));
    expect(described(sliced)).toStrictEqual(described(whole));
    expect(sliced.some(({ slices }) => slices.length > 2)).toBe(true);

    const limits = { ...unlimited(), maxStatementBytes: 1024 ** 4, unusedSeconds: 0 };
    const steps = await purgeUntilIdle(() => purgeDeletedStep(engine, { database }, limits, bounds));
    const sum = (parts: readonly { rows: number }[]) => parts.reduce((total, { rows }) => total + rows, 0);
    // The purge replaces the one update first.
    expect(sum(steps)).toBe(sum(whole) + 1);
    const slices = sliced.flatMap((part) => part.slices.map(({ slice }) => slice.within));
    expect(new Set(slices).size).toBeGreaterThan(3);
    expect(await tablesWith(engine, database, canary)).toStrictEqual([]);
    expect(await store.events.search(project_id, queryOf())).toStrictEqual(before);
  });

  it('may be called by two processes at the same time', async () => {
    const events = Array.from({ length: 20 }, () => anEvent({ project_id: 'two-processes' }));
    for (const event of events.slice(0, 5)) await writeEvents(store, [event], 10);
    await writeEvents(store, events.slice(5), 20);
    await deleteWithSession(store, events.slice(0, 10));
    const steps = await Promise.all([purgeAll(store), purgeAll(other)]);
    expect(steps.flat().length).toBeGreaterThan(0);
    expect((await store.events.search('two-processes', queryOf())).total).toBe(10);
  });
}
