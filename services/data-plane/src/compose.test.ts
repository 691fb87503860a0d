import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeRecord } from '@assay/contracts';
import { acceptEvent, NO_REDACTION } from '@assay/domain';
import { AppError } from '@assay/errors';
import { openEmbeddedEventLog, type EventLog } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { encodeEventRow } from '@assay/event-rows';
import { ByteBudget, serve } from '@assay/http';
import { createMetrics } from '@assay/runtime';
import { silentLogger } from '@assay/testing';
import { composeDataPlane, type DataPlane } from './compose.js';

const unexpected = (error: Error) => {
  throw error;
};

describe('a data plane whose control plane rejects every event', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-data-plane-'));
  const metrics = createMetrics({ processMetrics: false });
  let log: EventLog;
  let store: EventStore;
  let dataPlane: DataPlane;
  let serving: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    log = await openEmbeddedEventLog({ dir: join(dir, 'log'), logger: silentLogger });
    store = createChdbEventStore({ dir: join(dir, 'events') });
    await store.administration.migrate();
    const rejected = () => Promise.reject(new AppError('FORBIDDEN', 'no'));
    const ofQueues = {
      routingFilters: (ids: readonly string[]) =>
        Promise.resolve(ids.map((projectId) => ({ projectId, queues: [[]] }))),
      queueEntries: rejected,
      startBackfill: rejected,
      claimBackfill: rejected,
      claimAlert: rejected,
      saveAlert: rejected,
      saveJob: rejected,
      addToQueue: rejected,
      annotationMetrics: rejected,
      runs: rejected,
      runLinks: rejected,
      chart: rejected,
      markQueueEvent: rejected,
      leaseQueueEvent: rejected,
      deployedMetrics: rejected,
    };
    const controlPlane = {
      // Not a verdict on the data of an event.
      forwardEvents: () => Promise.reject(new AppError('FORBIDDEN', 'no')),
      deletedProjects: rejected,
      retentions: rejected,
      exports: rejected,
      removeExpired: rejected,
      recordDeletion: rejected,
      recordAdministration: rejected,
      createDatapoints: rejected,
      ...ofQueues,
    };
    const options = {
      log,
      logRetentionMs: 3_600_000,
      store,
      controlPlane,
      redaction: NO_REDACTION,
      forward: { retryMaxMs: 60_000, summaries: true },
      logger: silentLogger,
      metrics,
    };
    dataPlane = await composeDataPlane({
      ...options,
      now: Date.now,
      readAfterWriteTimeoutMs: 2_000,
      epochs: { isExclusive: true },
      onReplaced: unexpected,
      deletedProjectsEveryMs: 60_000,
      purge: { withinMs: 24 * 3_600_000, maxBytesPerHour: 1024 ** 3 },
    });
    serving = await serve({
      host: '127.0.0.1',
      port: 0,
      adminPort: 0,
      bindings: dataPlane.routes,
      authenticator: { authenticate: () => Promise.resolve(undefined) },
      budget: new ByteBudget({ maxBytes: 100_000_000 }),
      openApi: { version: 'test' },
      logger: silentLogger,
      metrics,
      checks: { ...dataPlane.readers?.checks },
    });
  });
  afterAll(async () => {
    await serving.close(1_000);
    await dataPlane.stop();
    await store.administration.close();
    await log.close();
    rmSync(dir, { recursive: true, force: true });
  });

  const append = (count: number, project = PROJECT) =>
    log.append(Array.from({ length: count }, () => eventRecord(project)));
  const ready = async () => {
    const response = await fetch(`${serving.adminUrl}/readyz`);
    return { status: response.status, ...((await response.json()) as { failing: string[] }) };
  };
  const scrape = async () => (await fetch(`${serving.adminUrl}/metrics`)).text();

  it('counts dead letters and stays ready while there are few', async () => {
    await append(3);
    await waitFor(async () => (await scrape()).includes('assay_reader_set_aside_total{group="forward"} 3'));
    expect(await ready()).toMatchObject({ status: 200, failing: [] });
    expect(await scrape()).toContain('assay_reader_stopped{group="forward"} 0');
  });

  it('raises a metric and stays ready once the forward reader has stopped, and keeps storing events', async () => {
    await append(75);
    await append(75, OTHER_PROJECT);
    await waitFor(async () => (await scrape()).includes('assay_reader_stopped{group="forward"} 1'));
    expect(await ready()).toMatchObject({ status: 200, failing: [] });
    expect(await scrape()).toContain('assay_reader_stopped{group="store"} 0');
    const stored = async (project: string) =>
      (await store.events.search(project, { filters: [], limit: 1, offset: 0, ordered: false })).total;
    await waitFor(async () => (await stored(PROJECT)) === 78 && (await stored(OTHER_PROJECT)) === 75);
    const letters = await log.deadLetters(1_000);
    expect(letters.length).toBeLessThan(153);
    expect(await scrape()).toContain(`assay_reader_set_aside_total{group="forward"} ${letters.length}`);
  });
});

const PROJECT = 'p1';
const OTHER_PROJECT = 'p2';

function eventRecord(projectId: string) {
  const { event } = acceptEvent(
    { event_type: 'tool' },
    { projectId, now: 1_790_000_000_000, newId: randomUUID },
  );
  return encodeRecord({
    kind: 'event',
    projectId,
    eventId: event.event_id,
    fresh: true,
    value: encodeEventRow(event),
  });
}

async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('not in time');
    await new Promise((resume) => setTimeout(resume, 10));
  }
}
