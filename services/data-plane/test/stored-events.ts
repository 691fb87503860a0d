import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptEvent, NO_REDACTION, type Caller, type Event } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { openEmbeddedEventLog, type EventLog } from '@assay/event-log';
import type { EventStore, QueryLimits } from '@assay/event-store';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { encodeEventRow } from '@assay/event-rows';
import type { RequestContext } from '@assay/http';
import { runCooperatively, type Logger, type Steps } from '@assay/runtime';
import { makeRunInOrder } from '../src/shared/run-in-order.js';
import { WaitingReads } from '../src/shared/waiting-reads.js';
import type { DataPlaneDeps } from '../src/shared/data-plane-deps.js';

export const CALLER: Caller = { projectId: 'p1', projectName: 'bot', keyId: 'k1', scope: 'project' };
export const CONTEXT: RequestContext<Caller> = {
  caller: CALLER,
  requestId: 'r',
  signal: new AbortController().signal,
  yieldToEventLoop: () => undefined,
  runInTurns: <T>(steps: Steps<T>) => runCooperatively(steps, () => undefined),
  headers: {},
  origin: { address: '127.0.0.1' },
};

/** A log and a store for tests of operations; the test provides the responses of the control plane. */
export interface StoredEvents {
  readonly log: EventLog;
  readonly store: EventStore;
  /** Dependencies of an operation. Calls to the control plane that are not provided fail as unavailable. */
  deps(controlPlane?: Partial<DataPlaneDeps['controlPlane']>): DataPlaneDeps;
  /** Writes events directly to the store. */
  add(events: readonly Partial<Event>[]): Promise<Event[]>;
  /** Replaces the log by an empty one, for tests that share the store: a store takes most of a second to start. */
  renewLog(): Promise<void>;
  stop(): Promise<void>;
}

/** @param limits bounds of the queries of clients, the default ones without it */
export async function startStoredEvents(limits?: QueryLimits): Promise<StoredEvents> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-stored-'));
  const logger: Logger = {
    error: () => undefined,
    warn: () => undefined,
    info: () => undefined,
    debug: () => undefined,
  };
  let logs = 0;
  const openLog = () => openEmbeddedEventLog({ dir: join(dir, `log-${logs++}`), logger });
  let log = await openLog();
  const store = createChdbEventStore({ dir: join(dir, 'events'), limits });
  await store.administration.migrate();
  const unreachable = () => Promise.reject(unavailable('the control plane cannot be asked'));
  const absent = {
    queueEntries: unreachable,
    startBackfill: unreachable,
    saveJob: unreachable,
    addToQueue: unreachable,
    annotationMetrics: unreachable,
    markQueueEvent: unreachable,
    leaseQueueEvent: unreachable,
    runs: unreachable,
    deployedMetrics: unreachable,
    runLinks: unreachable,
    chart: unreachable,
    recordDeletion: unreachable,
    recordAdministration: unreachable,
  };
  return {
    get log() {
      return log;
    },
    store,
    deps: (controlPlane = {}) => ({
      log,
      logRetentionMs: 72 * 3_600_000,
      inOrder: makeRunInOrder(),
      store,
      controlPlane: { ...absent, createDatapoints: unreachable, ...controlPlane },
      redaction: NO_REDACTION,
      waitUntilStored: () => Promise.resolve({ current: true }),
      waitUntilDecided: () => Promise.resolve({ current: true }),
      readAfterWriteTimeoutMs: 2_000,
      waitingReads: new WaitingReads(),
      now: Date.now,
    }),
    add: async (fields) => {
      const events = fields.map((one) => ({ ...newEvent(), ...one }));
      const rows = events.map((event, version) => ({ bytes: encodeEventRow(event), version }));
      await store.writer.write({ rows, changes: [], tombstones: [], token: randomUUID() });
      return events;
    },
    renewLog: async () => {
      await log.close();
      log = await openLog();
    },
    stop: async () => {
      await store.administration.close();
      await log.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function newEvent(): Event {
  const context = { projectId: CALLER.projectId, now: 1_790_000_000_000, newId: randomUUID };
  return acceptEvent({ event_type: 'model', inputs: { question: 'q' } }, context).event;
}
