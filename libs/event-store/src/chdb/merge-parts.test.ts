import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { batchOf, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../../test/event-fixture.js';
import type { MergedPartition } from '../event-store.js';
import { DEFAULT_QUERY_LIMITS } from '../sql/engine/engine.js';
import { ChdbEngine } from './chdb-engine.js';
import { createChdbEventStore, type EmbeddedEventStore } from './create-chdb-event-store.js';

const MAX_BYTES = 1024 ** 3;
const NEXT_YEAR = Date.UTC(2027, 0, 15);

describe('merging the parts of a partition', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-merges-'));
  const engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
  let database = '';
  let store: EmbeddedEventStore;

  beforeEach(async () => {
    database = `merges_${randomUUID().replaceAll('-', '')}`;
    store = createChdbEventStore({ dir, database });
    await store.administration.migrate();
  });
  afterEach(() => store.administration.close());
  afterAll(async () => {
    await engine.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const merge = (limits = {}) =>
    store.mergeParts({ maxBytes: MAX_BYTES, signal: new AbortController().signal, ...limits });
  const mergeAll = async () => {
    const merged: MergedPartition[] = [];
    for (let found = await merge(); found !== undefined; found = await merge()) merged.push(found);
    return merged;
  };
  /** Parts by table and partition. */
  const countParts = async () => {
    const rows = await engine.query<{ table: string; id: string; parts: number }>({
      sql:
        'SELECT table, partition_id AS id, toUInt32(count()) AS parts FROM system.parts ' +
        `WHERE active AND database = '${database}' AND table LIKE 'event%' GROUP BY table, id`,
      bindings: {},
    });
    return Object.fromEntries(rows.map(({ table, id, parts }) => [`${table} ${id}`, parts]));
  };

  it('leaves one part of each, and changes nothing that a reader sees', async () => {
    const project_id = newProject();
    const events = Array.from({ length: 4 }, () => sampleEvent({ project_id }));
    const [updated, deleted] = [events[0]!, events[1]!];
    for (const [index, event] of events.entries()) await writeEvents(store, [event], index + 1);
    await writeEvents(store, [sampleEvent({ project_id, start_time: NEXT_YEAR })], 5);
    const tombstone = {
      projectId: project_id,
      eventId: deleted.event_id,
      sessionId: deleted.session_id,
      startTime: deleted.start_time,
      version: 7,
    };
    await store.writer.write(
      batchOf({ rows: [rowOf({ ...updated, metrics: { score: 1 } }, 6)], tombstones: [tombstone] }),
    );
    const before = await store.events.search(project_id, queryOf());
    expect(before.events).toHaveLength(4);

    const merged = await mergeAll();
    expect(merged.map(({ table }) => table).sort()).toStrictEqual(['event_ids', 'event_payloads', 'events']);
    expect(merged.every(({ parts, bytes }) => parts > 1 && bytes > 0)).toBe(true);
    expect(await countParts()).toStrictEqual({
      'event_ids all': 1,
      'events 2026': 1,
      'events 2027': 1,
      'event_payloads 2026': 1,
      'event_payloads 2027': 1,
    });
    expect(await store.events.search(project_id, queryOf())).toStrictEqual(before);
    // A row that is older than the merged ones still loses.
    await writeEvents(store, [deleted], 2);
    expect(await store.events.search(project_id, queryOf())).toStrictEqual(before);
  });

  it.each([
    ['narrow rows first, whose merge is short', 3, ['events', 'event_payloads', 'event_ids']],
    [
      'payloads first when they have more than twice as many parts',
      5,
      ['event_payloads', 'events', 'event_ids'],
    ],
  ])('takes %s', async (_title, payloadParts, order) => {
    const event = sampleEvent({ project_id: newProject() });
    await writeEvents(store, [event], 1);
    await writeEvents(store, [event], 2);
    for (let version = 3; version <= payloadParts; version++)
      await engine.command(
        `INSERT INTO ${database}.event_payloads SELECT * REPLACE (${version} AS ver) FROM (SELECT * FROM ${database}.event_payloads WHERE ver = 2)`,
      );
    expect((await mergeAll()).map(({ table }) => table)).toStrictEqual(order);
  });

  it('takes no partition above the limit', async () => {
    for (let version = 1; version <= 3; version++) await writeEvents(store, [sampleEvent()], version);
    expect(await merge({ maxBytes: 100 })).toBeUndefined();
    expect(await merge()).toBeDefined();
  });

  it('takes no narrow rows above the limit of their merges, which is also that of the engine', async () => {
    const limitOfEngine = async () => {
      const [table] = await engine.query<{ engine_full: string }>({
        sql: `SELECT engine_full FROM system.tables WHERE database = '${database}' AND name = 'events'`,
        bindings: {},
      });
      return Number(/max_bytes_to_merge_at_max_space_in_pool = (\d+)/.exec(table!.engine_full)![1]);
    };
    const reopen = async (maxMergeBytes: number) => {
      await store.administration.close();
      store = createChdbEventStore({ dir, database, maxMergeBytes });
      await store.administration.migrate();
    };
    await reopen(100);
    expect(await limitOfEngine()).toBe(100);
    for (let version = 1; version <= 3; version++) await writeEvents(store, [sampleEvent()], version);
    expect((await mergeAll()).map(({ table }) => table)).toStrictEqual(['event_ids', 'event_payloads']);
    await reopen(MAX_BYTES);
    expect(await limitOfEngine()).toBe(MAX_BYTES);
    expect((await mergeAll()).map(({ table }) => table)).toStrictEqual(['events']);
  });

  it('takes no partition that has grown by less than a tenth', async () => {
    const events = () => Array.from({ length: 400 }, () => sampleEvent({ inputs: { id: randomUUID() } }));
    await writeEvents(store, events());
    await writeEvents(store, events(), 1_000);
    expect(await mergeAll()).toHaveLength(3);
    await writeEvents(store, [sampleEvent()], 2_000);
    expect(await mergeAll()).toStrictEqual([]);
    await writeEvents(store, events(), 3_000);
    expect(await mergeAll()).toHaveLength(3);
  });

  it('is cancelled at any time, and continues later', async () => {
    for (let version = 1; version <= 3; version++) await writeEvents(store, [sampleEvent()], version);
    const before = await countParts();
    expect(await merge({ signal: AbortSignal.abort() })).toBeUndefined();
    expect(await countParts()).toStrictEqual(before);
    const controller = new AbortController();
    const merging = merge({ signal: controller.signal });
    controller.abort();
    await merging;
    await writeEvents(store, [sampleEvent()], 4);
    await mergeAll();
    expect(Object.values(await countParts())).toStrictEqual([1, 1, 1]);
  });

  it('is cancelled without a failure when its database is gone', async () => {
    const controller = new AbortController();
    const merging = engine.mergePartition('absent.events', '2026', controller.signal);
    await new Promise(setImmediate);
    controller.abort();
    expect(await merging).toBe(false);
  });

  it('ends before the store is closed', async () => {
    for (let version = 1; version <= 3; version++) await writeEvents(store, [sampleEvent()], version);
    const controller = new AbortController();
    const merging = merge({ signal: controller.signal });
    controller.abort();
    await Promise.all([store.administration.close(), merging.catch(() => undefined)]);
    await expect(merge()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
