import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExpiredEvents } from '@assay/control-plane-client';
import { acceptEvent, type Event } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { createChdbEventStore, type EmbeddedEventStore } from '@assay/event-store/chdb';
import { encodeEventRow } from '@assay/event-rows';
import { createMetrics } from '@assay/runtime';
import { silentLogger, waitFor } from '@assay/testing';
import { startStoreLimit, type StoreLimit, type StoreLimitOptions } from './start-store-limit.js';

const NOW = 1_790_000_000_000;
const HOUR = 3_600_000;
const BYTES = 100_000;
const ONE = 'p1';
const OTHER = 'p2';
const PATIENT = { withinMs: 120_000, pollIntervalMs: 50 };

/** Each test has a folder of its own, since the limit is of all that is stored. */
describe('a store with a limit', () => {
  let dir = '';
  let store: EmbeddedEventStore;
  let limits: StoreLimit[] = [];
  let requests: ExpiredEvents[] = [];
  let looks = 0;
  let texts: string[] = [];

  beforeEach(async () => {
    [looks, requests, texts] = [0, [], []];
    dir = mkdtempSync(join(tmpdir(), 'assay-store-limit-'));
    store = createChdbEventStore({ dir });
    await store.administration.migrate();
  });
  afterEach(async () => {
    await stop();
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  async function stop(): Promise<void> {
    for (const limit of limits) await limit.stop();
    limits = [];
  }

  /** An event whose payload takes about so many bytes on disk. */
  function eventAt(start_time: number, projectId = ONE, bytes = BYTES): Event {
    const context = { projectId, now: NOW, newId: randomUUID };
    const inputs = { filler: randomBytes(bytes).toString('hex') };
    return acceptEvent({ event_type: 'model', inputs, start_time }, context).event;
  }
  async function add(events: readonly Event[]): Promise<readonly Event[]> {
    const rows = events.map((event) => ({ bytes: Buffer.from(encodeEventRow(event)), version: 1 }));
    await store.writer.write({ rows, tombstones: [], changes: [], token: randomUUID() });
    return events;
  }
  const hourly = (count: number) =>
    Array.from({ length: count }, (_, hour) => eventAt(NOW + hour * HOUR, hour % 2 === 0 ? ONE : OTHER));
  const found = async (projectId: string) =>
    (await store.events.search(projectId, { filters: [], limit: 1_000, offset: 0, ordered: true })).events;
  /** Starts of all events, oldest first. */
  const starts = async () =>
    [...(await found(ONE)), ...(await found(OTHER))]
      .map(({ start_time }) => start_time)
      .sort((one, other) => one - other);

  function start(maxBytes: number, options: Partial<StoreLimitOptions> = {}) {
    const metrics = createMetrics({ processMetrics: false });
    const limit = startStoreLimit({
      controlPlane: {
        removeExpired: (request) => {
          requests.push(request);
          return Promise.resolve(request.removesKept ? [] : request.expired.map(({ eventId }) => eventId));
        },
      },
      size: {
        storedBytes: () => {
          looks++;
          return store.storedBytes();
        },
        tombstoneBytes: () => store.tombstoneBytes(),
        unusedMediaBytes: () => store.unusedMediaBytes(),
        endOfOldest: (share) => store.endOfOldest(share),
      },
      logger: { ...silentLogger, warn: (text) => texts.push(text) },
      ...{ store, metrics, maxBytes, everyMs: 25, forgetEvents: () => undefined },
      ...options,
    });
    limits.push(limit);
    return { metrics, limit };
  }
  const isBelow = (maxBytes: number) =>
    waitFor('the store to be below its limit', async () => (await store.storedBytes()) <= maxBytes, PATIENT);
  const looked = async (times = 3) => {
    const awaited = looks + times;
    await waitFor('further looks', () => looks >= awaited, PATIENT);
  };

  it('drops the oldest events of all projects, counts them, and keeps all others over a restart', async () => {
    const events = await add(hourly(40));
    const maxBytes = Math.floor((await store.storedBytes()) / 2);
    const { metrics, limit } = start(maxBytes);
    await isBelow(maxBytes);
    await looked();
    const left = await starts();
    expect(left).toEqual(events.slice(-left.length).map(({ start_time }) => start_time));
    expect(left.length).toBeGreaterThanOrEqual(15);
    expect(left.length).toBeLessThanOrEqual(20);
    expect(await metrics.text()).toContain(`assay_dropped_events_total ${40 - left.length}\n`);
    const [ofOne, ofOther] = [limit.status(ONE), limit.status(OTHER)];
    expect(ofOne.dropped_events + ofOther.dropped_events).toBe(40 - left.length);
    expect(ofOne).toMatchObject({ max_bytes: maxBytes, dropped_events: 20 - (await found(ONE)).length });
    expect(ofOne.bytes).toBe(await store.storedBytes());
    expect(Date.parse(ofOne.dropped_before ?? '')).toBeLessThanOrEqual(left[0]!);
    expect(requests.flatMap(({ expired }) => expired)).toHaveLength(40 - left.length);
    expect(texts.join()).toContain('dropped the oldest events');
    await stop();
    start(maxBytes);
    await looked();
    expect(await starts()).toEqual(left);
  });

  it('first removes what is deleted from the disk, and drops nothing that fits then', async () => {
    const events = await add(hourly(20));
    const full = await store.storedBytes();
    const tombstones = events.slice(10).map(({ project_id, event_id, session_id, start_time }) => ({
      ...{ projectId: project_id, eventId: event_id, sessionId: session_id, startTime: start_time },
      version: 2,
    }));
    await store.writer.write({ rows: [], changes: [], tombstones, token: randomUUID() });
    start(full * 0.6);
    await isBelow(full * 0.6);
    await looked();
    expect(await starts()).toEqual(events.slice(0, 10).map(({ start_time }) => start_time));
    expect(texts).toEqual([]);
  });

  it('keeps events although the ids of many deleted ones take the size', async () => {
    const deleted = await add(Array.from({ length: 4_000 }, (_, index) => eventAt(NOW + index, ONE, 10)));
    const tombstones = deleted.map(({ project_id, event_id, session_id, start_time }) => ({
      ...{ projectId: project_id, eventId: event_id, sessionId: session_id, startTime: start_time },
      version: 2,
    }));
    await store.writer.write({ rows: [], changes: [], tombstones, token: randomUUID() });
    const ids = await store.tombstoneBytes();
    const kept = await add([eventAt(NOW, ONE, ids / 8), eventAt(NOW + 1, ONE, ids / 8)]);
    start(ids);
    await looked(5);
    expect(await store.storedBytes()).toBeGreaterThan(ids);
    expect(await starts()).toEqual(kept.map(({ start_time }) => start_time));
    await add([eventAt(NOW + 1_500, ONE, ids / 2)]);
    await waitFor('the oldest are dropped', async () => (await starts()).length < 3, PATIENT);
  });

  it('drops no more events than it has to while their media wait to be removed', async () => {
    await store.administration.close();
    store = createChdbEventStore({ dir, storeMediaOnce: true });
    const events = await add(hourly(20));
    const maxBytes = (await store.storedBytes()) * 0.7;
    start(maxBytes);
    await waitFor('some are dropped', async () => (await starts()).length < 20, PATIENT);
    await looked(3);
    const left = await starts();
    expect(left).toEqual(events.slice(-left.length).map(({ start_time }) => start_time));
    expect(left.length).toBeGreaterThanOrEqual(10);
    expect(await store.unusedMediaBytes()).toBeGreaterThan(5 * BYTES);
  });

  it('drops no more of one hour than it has to, and an event of any time', async () => {
    const events = await add([
      eventAt(0),
      ...Array.from({ length: 20 }, (_, second) => eventAt(NOW + second * 1_000)),
      eventAt(4_000_000_000_000),
    ]);
    const maxBytes = (await store.storedBytes()) * 0.7;
    start(maxBytes);
    await isBelow(maxBytes);
    await looked();
    const left = await starts();
    expect(left).toEqual(events.slice(-left.length).map(({ start_time }) => start_time));
    expect(left.length).toBeGreaterThanOrEqual(12);
  });

  it.each(['removeEvaluations', 'write', 'purgeDeleted'] as const)(
    'is below its limit although the first %s fails',
    async (step) => {
      await add(hourly(20));
      const maxBytes = (await store.storedBytes()) / 2;
      let failures = 0;
      const failing = <Port extends object>(port: Port): Port =>
        new Proxy(port, {
          get(target, name) {
            const value: unknown = Reflect.get(target, name);
            if (typeof value !== 'function') return value;
            if (name !== step || failures > 0) return value.bind(target) as unknown;
            return () => {
              failures++;
              return Promise.reject(unavailable('killed'));
            };
          },
        });
      const { writer, administration } = store;
      start(maxBytes, {
        store: { ...store, writer: failing(writer), administration: failing(administration) },
      });
      await isBelow(maxBytes);
      await looked();
      expect(failures).toBe(1);
      expect((await starts()).length).toBeGreaterThanOrEqual(8);
    },
  );

  it('says once that it has nothing to drop', async () => {
    await add(hourly(2));
    start(1);
    await waitFor('the warning', () => texts.some((text) => text.includes('nothing is left')), PATIENT);
    await looked();
    expect(texts.filter((text) => text.includes('nothing is left'))).toHaveLength(1);
    expect(await starts()).toEqual([]);
  });
});
