import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptEvent, type Event } from '@assay/domain';
import { encodeEventRow } from '@assay/event-rows';
import type { AdministrationPort, PurgeLimits } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { createChdbEventStore, type EmbeddedEventStore } from '@assay/event-store/chdb';
import { createMetrics } from '@assay/runtime';
import { silentLogger, waitFor } from '@assay/testing';
import { NOW, PROJECT } from '../../test/store-batch-fixture.js';
import type { Rounds } from '../shared/run-rounds.js';
import { startPurge } from './start-purge.js';

const INTERVAL_MS = 200;
const WITHIN_MS = 24 * INTERVAL_MS;
const INTERVALS_PER_HOUR = 3_600_000 / INTERVAL_MS;
const CONTEXT = { projectId: PROJECT, now: NOW, newId: randomUUID };
const YEAR_MS = 366 * 86_400_000;
const LIMIT = 100_000;
/** Each look reads all tables. */
const SLOW = { withinMs: 120_000, pollIntervalMs: 500 };

interface Options {
  readonly isOwner?: () => boolean;
  /** By how much the clock of the process is ahead, in milliseconds. */
  readonly ahead?: number;
  /** When another process has rewritten parts; what the store says when absent. */
  readonly rewrittenAt?: () => number;
  readonly tombstoneMs?: number;
}

describe('removing the values of deleted events from the disk', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-purge-'));
  let store: EmbeddedEventStore;
  let purge: Rounds | undefined;
  /** Bytes that each interval has rewritten; an interval begins with a look at what is left. */
  let intervals: number[] = [];

  beforeAll(async () => {
    // Parts above the limit of merges stay as they are.
    store = createChdbEventStore({ dir, maxMergeBytes: 1, unusedMediaSeconds: 0 });
    await store.administration.migrate();
  });
  beforeEach(() => (intervals = []));
  afterEach(() => purge?.stop());
  afterAll(async () => {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  /** Stores an event with a payload of about so many bytes, in a partition of its own, and deletes it. */
  async function deletedEvent(bytes: number, year = 0): Promise<void> {
    const inputs = { filler: randomBytes(bytes).toString('hex') };
    const { event } = acceptEvent({ event_type: 'model', inputs, start_time: NOW + year * YEAR_MS }, CONTEXT);
    const batch = { rows: [], tombstones: [], changes: [] };
    const rows = [{ bytes: Buffer.from(encodeEventRow(event)), version: 1 }];
    await store.writer.write({ ...batch, rows, token: randomUUID() });
    await store.writer.write({
      ...batch,
      tombstones: [{ ...locationOf(event), version: 2 }],
      token: randomUUID(),
    });
  }

  const start = (options: Options = {}) => {
    const metrics = createMetrics({ processMetrics: false });
    const started = startPurge({
      store: {
        administration: portWith<AdministrationPort>(
          {
            deletedValues: async () => {
              intervals.push(0);
              const left = await store.administration.deletedValues();
              return options.rewrittenAt ? { ...left, rewrittenAt: options.rewrittenAt() } : left;
            },
            purgeDeleted: async (limits: PurgeLimits) => {
              const step = await store.administration.purgeDeleted(limits);
              intervals.push((intervals.pop() ?? 0) + step.bytes);
              return step;
            },
          },
          store.administration,
        ),
      },
      ...{ withinMs: WITHIN_MS, maxBytesPerHour: LIMIT * INTERVALS_PER_HOUR },
      ...(options.tombstoneMs !== undefined && { tombstoneMs: options.tombstoneMs }),
      ...{ isOwner: options.isOwner ?? (() => true), logger: silentLogger, metrics, pollMs: 5, rest: 0 },
      now: () => Date.now() + (options.ahead ?? 0),
    });
    purge = started;
    return { metrics };
  };
  const isClean = () =>
    waitFor(
      'everything to be removed',
      async () => (await store.administration.deletedValues()).rows === 0,
      SLOW,
    );

  it('rewrites at most the limit in each interval, and reports what is left', async () => {
    for (let year = 0; year < 4; year++) await deletedEvent(60_000, year);
    const { metrics } = start();
    const text = () => metrics.text();
    await waitFor('the first look', async () => /assay_deleted_rows_pending [1-9]/.test(await text()), SLOW);
    expect(await text()).toMatch(/assay_deleted_bytes_pending [1-9]/);
    expect(await text()).toContain(`assay_deleted_within_seconds ${WITHIN_MS / 1_000}`);
    await isClean();
    await waitFor('the last look', async () => /assay_deleted_rows_pending 0/.test(await text()), SLOW);
    expect(intervals.filter((bytes) => bytes > 0).length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...intervals)).toBeLessThanOrEqual(LIMIT);
    expect(await text()).toContain('assay_deleted_oldest_seconds 0\n');
    expect(await text()).toContain('assay_deleted_rows_purged_total 8\n');
    const rewritten = intervals.reduce((sum, bytes) => sum + bytes, 0);
    expect(await text()).toContain(`assay_deleted_rewritten_bytes_total ${rewritten}\n`);
  });

  it('rewrites a part above the limit alone, and later intervals pay for it', async () => {
    await deletedEvent(350_000);
    await deletedEvent(60_000, 1);
    start();
    await isClean();
    const large = intervals.findIndex((bytes) => bytes > LIMIT);
    expect(intervals[large]).toBeGreaterThan(350_000);
    // Each interval looks at what is left once or twice.
    expect(intervals.slice(large + 1, large + 4)).toStrictEqual([0, 0, 0]);
    expect(intervals.filter((bytes) => bytes > LIMIT)).toHaveLength(1);
  });

  it('is done by the owner alone, and by the next one when that changes', async () => {
    await deletedEvent(1_000);
    let isOwner = false;
    const looks: boolean[] = [];
    const { metrics } = start({
      isOwner: () => {
        looks.push(isOwner);
        return isOwner;
      },
      ahead: 60_000,
    });
    await waitFor('some looks', () => looks.length > 4, SLOW);
    expect((await store.administration.deletedValues()).rows).toBe(2);
    expect(await metrics.text()).toContain('assay_deleted_rows_pending 0\n');
    isOwner = true;
    await isClean();
  });

  it('leaves an interval alone that another process, or this one before a restart, has used', async () => {
    await deletedEvent(1_000);
    let isElsewhere = true;
    start({ ahead: 60_000, rewrittenAt: () => (isElsewhere ? Date.now() + 60_000 : 0) });
    await waitFor('some looks', () => intervals.length > 8, SLOW);
    expect((await store.administration.deletedValues()).rows).toBe(2);
    isElsewhere = false;
    await isClean();
  });

  it('ends a look at tombstones of which few can go, and removes values that are due then', async () => {
    const events = Array.from({ length: 9 }, () => acceptEvent({ event_type: 'model' }, CONTEXT).event);
    const [deleted, ...kept] = events as [Event, ...Event[]];
    const batch = { changes: [], token: randomUUID() };
    const rowsOf = (events: readonly Event[], version: number) =>
      events.map((event) => ({ bytes: Buffer.from(encodeEventRow(event)), version }));
    await store.writer.write({ ...batch, rows: rowsOf([deleted], 1), tombstones: [] });
    // One part with a tombstone among eight rows, which is not worth to be rewritten.
    const tombstones = [{ ...locationOf(deleted), version: 2 }];
    await store.writer.write({ ...batch, token: randomUUID(), rows: rowsOf(kept, 1), tombstones });
    start({ tombstoneMs: 1, ahead: 60_000 });
    await waitFor('the next intervals', () => intervals.length > 12, SLOW);
    await deletedEvent(1_000);
    await isClean();
    await purge?.stop();
    const closed = kept.map((event) => ({ ...locationOf(event), version: 3 }));
    await store.writer.write({ ...batch, token: randomUUID(), rows: [], tombstones: closed });
  });

  it('removes tombstones in the same way once they are old, and then nothing is left', async () => {
    const { metrics } = start({ tombstoneMs: 24 * 3_600_000, ahead: 60_000 });
    await waitFor('some intervals', () => intervals.length > 4, SLOW);
    await purge?.stop();
    expect(await metrics.text()).toContain('assay_deleted_tombstones_removed_total 0\n');
    expect(await store.administration.projectIds()).toStrictEqual([PROJECT]);
    const later = start({ tombstoneMs: 1, ahead: 60_000 });
    const isEmpty = async () => (await store.administration.projectIds()).length === 0;
    await waitFor('tombstones to be removed', isEmpty, SLOW);
    expect(await later.metrics.text()).toMatch(/assay_deleted_tombstones_removed_total [1-9]/);
    expect(await later.metrics.text()).toContain('assay_deleted_rows_purged_total 0\n');
  });
});

function locationOf({ project_id, event_id, session_id, start_time }: Event) {
  return { projectId: project_id, eventId: event_id, sessionId: session_id, startTime: start_time };
}
