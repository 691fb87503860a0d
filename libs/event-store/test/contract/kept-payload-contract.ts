import { randomUUID } from 'node:crypto';
import type { Event } from '@assay/domain';
import type { EventRow, EventStore } from '../../src/event-store.js';
import {
  decodeEventRow,
  encodeNarrowRow,
  EVENT_ROWS,
  payloadOfRow,
  VERSION_COLUMNS,
} from '@assay/event-rows';
import type { SqlEngine } from '../../src/sql/engine/engine.js';
import { migrate } from '../../src/sql/schema/migrate.js';
import { migrations } from '../../src/sql/schema/migrations.js';
import { KEPT_PAYLOADS_VERSION } from '../../src/sql/schema/kept-payloads.js';
import type { EngineUnderTest } from '../engine-fixture.js';
import { batchOf, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';

const PAYLOAD = {
  inputs: { question: 'why', n: 1e20, long: 'x'.repeat(3_000) },
  outputs: { answer: 'because', score: '5' },
  config: { model: 'm', deep: { list: [1] } },
};

/** Rows that keep the payload which is stored at their location. */
export function keptPayloadContract(engineUnderTest: EngineUnderTest, database: string): void {
  let store: EventStore;
  let engine: SqlEngine;
  beforeAll(async () => {
    store = engineUnderTest.open(database);
    engine = engineUnderTest.engine();
    await store.administration.migrate();
  });
  afterAll(() => Promise.all([store.administration.close(), engine.close()]));
  afterEach(async () => {
    expect(await store.administration.rowsWithoutPayload(10)).toEqual([]);
    expect(await store.administration.repair()).toStrictEqual({ removed: 0, completed: 0 });
  });

  const keyOf = (event: Event) => ({ projectId: event.project_id, eventId: event.event_id });
  const locationOf = (event: Event, version: number) => ({
    ...keyOf(event),
    sessionId: event.session_id,
    startTime: event.start_time,
    version,
  });
  /** The row of an event that keeps the payload of an earlier row. */
  const keeping = (event: Event, version: number, kept: EventRow): EventRow => {
    const payload = payloadOfRow(kept.bytes);
    return {
      bytes: Buffer.from(encodeNarrowRow(event, payload)),
      version,
      keeps: { version: kept.version, bytes: payload.bytes },
    };
  };
  const payloadVersionsOf = async ({ event_id }: Event, of = database) => {
    const sql = `SELECT toUInt64(ver) AS version FROM ${of}.event_payloads WHERE event_id = '${event_id}' ORDER BY ver`;
    return (await engine.query<{ version: number }>({ sql, bindings: {} })).map(({ version }) => version);
  };
  const expectEvent = async (event: Event, version: number, of = store) => {
    const { project_id } = event;
    expect(await of.events.find(project_id, event.event_id)).toStrictEqual(event);
    expect(await of.events.search(project_id, queryOf())).toStrictEqual({ events: [event], total: 1 });
    expect([...(await of.states.read([keyOf(event)])).values()]).toStrictEqual([
      { event: { ...event, version } },
    ]);
  };
  const narrowState = async (event: Event) =>
    (await store.states.read([{ ...keyOf(event), withoutPayload: true }])).get(
      `${event.project_id}/${event.event_id}`,
    );

  it('are read with it, and do not write it again', async () => {
    const event = sampleEvent({ project_id: newProject(), ...PAYLOAD });
    const updated = { ...event, metrics: { score: 1 }, end_time: event.start_time + 9 };
    const other = sampleEvent({ project_id: newProject() });
    const first = { ...rowOf(event, 5), bytes: Buffer.from(rowOf(event, 5).bytes) };
    await store.writer.write(batchOf({ rows: [first] }));
    for (let delivery = 0; delivery < 2; delivery++)
      await store.writer.write(batchOf({ rows: [keeping(updated, 9, first), rowOf(other, 10)] }));
    await expectEvent(updated, 9);
    await expectEvent(other, 10);
    expect(await payloadVersionsOf(event)).toStrictEqual([5]);
    await engine.command(`OPTIMIZE TABLE ${database}.events FINAL`);
    await engine.command(`OPTIMIZE TABLE ${database}.event_payloads FINAL`);
    await expectEvent(updated, 9);
  });

  it('are stored alike without and beside a row with a payload', async () => {
    const project_id = newProject();
    const events = [0, 1].map(() => sampleEvent({ project_id, ...PAYLOAD, user_properties: { plan: 'x' } }));
    const [alone, beside] = events.map((event) => {
      const first = { ...rowOf(event, 5), bytes: Buffer.from(rowOf(event, 5).bytes) };
      return { first, updated: keeping({ ...event, metrics: { score: 1 } }, 9, first) };
    });
    await store.writer.write(batchOf({ rows: [alone!.first, beside!.first] }));
    await store.writer.write(batchOf({ rows: [alone!.updated] }));
    await store.writer.write(batchOf({ rows: [beside!.updated, rowOf(sampleEvent({ project_id }), 10)] }));
    const sql = `SELECT * EXCEPT (event_id, session_id, stored_at) FROM ${database}.events WHERE project_id = '${project_id}' AND ver = 9`;
    const rows = await engine.query<object>({ sql, bindings: {} });
    expect(rows).toHaveLength(2);
    expect(rows[0]).toStrictEqual(rows[1]);
  });

  it('are found by the values of the payload and of the update', async () => {
    const event = sampleEvent({ project_id: newProject(), ...PAYLOAD });
    const first = { ...rowOf(event, 5), bytes: Buffer.from(rowOf(event, 5).bytes) };
    await store.writer.write(batchOf({ rows: [first] }));
    await store.writer.write(batchOf({ rows: [keeping({ ...event, metrics: { score: 1 } }, 9, first)] }));
    for (const [field, value] of [
      ['outputs.answer', 'because'],
      ['config.model', 'm'],
      ['inputs.long', PAYLOAD.inputs.long],
      ['metrics.score', 1],
    ] as const) {
      const type = typeof value === 'number' ? 'number' : 'string';
      const query = queryOf({ filters: [{ field, operator: 'is', type, value }] });
      expect({ field, total: (await store.events.search(event.project_id, query)).total }).toEqual({
        field,
        total: 1,
      });
    }
    const schema = await store.aggregates.eventSchema(event.project_id, { scope: 'events' });
    expect(schema.fields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['inputs.question', 'inputs.long', 'config.deep.list', 'metrics.score']),
    );
  });

  it('are not replaced by an earlier row that is delivered again', async () => {
    const event = sampleEvent({ project_id: newProject(), ...PAYLOAD });
    const updated = { ...event, metrics: { score: 1 } };
    const first = { ...rowOf(event, 5), bytes: Buffer.from(rowOf(event, 5).bytes) };
    await store.writer.write(batchOf({ rows: [first] }));
    await store.writer.write(batchOf({ rows: [keeping(updated, 9, first)] }));
    await store.writer.write(batchOf({ rows: [first] }));
    await expectEvent(updated, 9);
  });

  it('are replaced by a later row with its payload, by a tombstone, and by a row at another location', async () => {
    const event = sampleEvent({ project_id: newProject(), ...PAYLOAD });
    const first = { ...rowOf(event, 5), bytes: Buffer.from(rowOf(event, 5).bytes) };
    await store.writer.write(batchOf({ rows: [first] }));
    await store.writer.write(batchOf({ rows: [keeping({ ...event, metrics: { score: 1 } }, 9, first)] }));
    const later = { ...event, outputs: { answer: 'later' } };
    await writeEvents(store, [later], 12);
    await expectEvent(later, 12);
    const moved = { ...later, session_id: randomUUID() };
    await store.writer.write(
      batchOf({
        rows: [rowOf(moved, 12)],
        tombstones: [locationOf(later, Number.MAX_SAFE_INTEGER)],
      }),
    );
    await expectEvent(moved, 12);
    await store.writer.write(batchOf({ tombstones: [locationOf(moved, 13)] }));
    expect((await store.events.search(event.project_id, queryOf())).total).toBe(0);
  });

  it('are made from a state that is read without its payload', async () => {
    const event = sampleEvent({ project_id: newProject(), ...PAYLOAD, metadata: { a: 1 } });
    const changes = { ...keyOf(event), patch: { metadata: { a: 1 } }, deleted: false, version: 5 };
    const first = { ...rowOf(event, 5), bytes: Buffer.from(rowOf(event, 5).bytes) };
    await store.writer.write(batchOf({ rows: [first], changes: [changes] }));
    const empty = { inputs: {}, outputs: {}, config: {} };
    const expected = {
      event: { ...event, ...empty, version: 5 },
      changes,
      payload: { version: 5, ...payloadOfRow(first.bytes) },
      withoutPayload: true,
    };
    expect(await narrowState(event)).toStrictEqual(expected);
    await store.writer.write(batchOf({ rows: [keeping(event, 9, first)] }));
    expect(await narrowState(event)).toStrictEqual({ ...expected, event: { ...expected.event, version: 9 } });
    const sizes = async (withoutPayload: boolean) =>
      (await store.states.sizes([{ ...keyOf(event), withoutPayload }])).get(
        `${event.project_id}/${event.event_id}`,
      );
    expect((await sizes(false))! - (await sizes(true))!).toBe(payloadOfRow(first.bytes).bytes);
    expect(await narrowState(sampleEvent())).toBeUndefined();
  });

  it('are not made while a row and its payload do not belong together', async () => {
    const event = sampleEvent({ project_id: newProject(), ...PAYLOAD });
    const later = { ...event, outputs: { answer: 'later' }, metrics: { score: 1 } };
    const remove = (table: string, of: Event) =>
      engine.command(
        `ALTER TABLE ${database}.${table} DELETE WHERE event_id = '${of.event_id}' AND ver = 9 SETTINGS mutations_sync = 2`,
      );
    const expected = {
      events: { ...event, outputs: later.outputs },
      event_payloads: { ...event, metrics: later.metrics },
    };
    for (const table of ['events', 'event_payloads'] as const) {
      const ids = { project_id: newProject(), event_id: randomUUID() };
      await writeEvents(store, [{ ...event, ...ids }], 5);
      await writeEvents(store, [{ ...later, ...ids }], 9);
      await remove(table, { ...event, ...ids });
      expect(await narrowState({ ...event, ...ids })).toStrictEqual({
        event: { ...expected[table], ...ids, version: 5 },
      });
    }
    const half = sampleEvent({ project_id: newProject() });
    await writeEvents(store, [half], 9);
    await remove('event_payloads', half);
    expect(await narrowState(half)).toStrictEqual({ incomplete: [locationOf(half, 9)] });
    await store.writer.write(batchOf({ tombstones: [locationOf(half, 9)] }));
  });

  it('are not made while the changes hold an update that the row lacks', async () => {
    const event = sampleEvent({ project_id: newProject(), ...PAYLOAD });
    const changes = { ...keyOf(event), patch: { outputs: { late: 1 } }, deleted: false, version: 9 };
    await store.writer.write(batchOf({ rows: [rowOf(event, 5)], changes: [changes] }));
    expect(await narrowState(event)).toStrictEqual({ event: { ...event, version: 5 }, changes });
  });

  /** With the columns that the writers of all releases have. */
  const insertAsBefore = (of: string, { bytes, version }: EventRow) => {
    const end = Buffer.alloc(9);
    end.writeBigUInt64LE(BigInt(version));
    return engine.insert({
      table: `${of}.events_ingest`,
      columns: [...EVENT_ROWS.layout.columns, ...VERSION_COLUMNS],
      format: 'RowBinary',
      parts: [bytes, end],
      settings: { async_insert: 0 },
    });
  };

  it('can follow rows of an earlier release', async () => {
    const old = `${database}_old`;
    await migrate(engine, { database: old }, (topology) =>
      migrations(topology).filter(({ version }) => version < KEPT_PAYLOADS_VERSION),
    );
    const migrated = engineUnderTest.open(old);
    try {
      const event = sampleEvent({ project_id: newProject(), ...PAYLOAD });
      const first = { ...rowOf(event, 5), bytes: Buffer.from(rowOf(event, 5).bytes) };
      await insertAsBefore(old, first);
      await migrated.administration.migrate();
      await expectEvent(event, 5, migrated);
      const updated = { ...decodeEventRow(first.bytes), metrics: { score: 1 } };
      await migrated.writer.write(batchOf({ rows: [keeping(updated, 9, first)] }));
      await expectEvent(updated, 9, migrated);
      expect(await payloadVersionsOf(event, old)).toStrictEqual([5]);
    } finally {
      await migrated.administration.close();
    }
  });
}
