import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeRecord, type Move, type RecordKind } from '@assay/contracts';
import type { ForwardedEvent, ForwardedSession, ProjectFilters } from '@assay/control-plane-client';
import { acceptEvent, acceptRedaction, type Event, type EventPatch } from '@assay/domain';
import { openEmbeddedEventLog, type EventLog } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { encodeEventRow } from '@assay/event-rows';
import { createLogger, createMetrics, type Metrics } from '@assay/runtime';
import type { ThrottleLimits } from '../src/forwarding/session-throttle.js';
import { startForwardReader } from '../src/forwarding/start-forward-reader.js';
import { FIRST_EPOCH } from './store-batch-fixture.js';
import { startStoreReader, type StoreReader } from '../src/ingest/start-store-reader.js';

export const PROJECT = 'p1';
const logger = createLogger({ level: 'error', service: 'test' });

/** An event store in a folder of its own. */
export interface StoreFolder {
  readonly dir: string;
  readonly store: EventStore;
  remove(): Promise<void>;
}

export async function openStoreFolder(): Promise<StoreFolder> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-forward-reader-'));
  const store = createChdbEventStore({ dir: join(dir, 'events') });
  await store.administration.migrate();
  const remove = async () => {
    await store.administration.close();
    rmSync(dir, { recursive: true, force: true });
  };
  return { dir, store, remove };
}

export interface ForwardingOptions {
  readonly folder: StoreFolder;
  /** Whether to store events from the start. */
  readonly storing: boolean;
  /** Folder of the log, below that of the store; absent: a new one. */
  readonly logName?: string;
  readonly limits?: ThrottleLimits;
  /** Whether the forward reader sees the cache of the store reader; absent: yes. */
  readonly cached?: boolean;
  /** Whether summaries of sessions are forwarded; absent: yes. */
  readonly summaries?: boolean;
  /** Unix milliseconds; absent: the clock. */
  readonly now?: () => number;
}

export function eventOf(fields: Partial<Event> = {}): Event {
  const context = { projectId: PROJECT, now: 1_790_000_000_000, newId: randomUUID };
  return { ...acceptEvent({ event_type: 'model', inputs: { q: 'secret' } }, context).event, ...fields };
}

/** A record of the log: its kind, its event, and the content of an update or a move. */
export type LoggedRecord = [kind: RecordKind, event: Event, content?: EventPatch | Move];

/** A data plane that forwards to a control plane whose responses the test provides. */
export class Forwarding {
  /** Forwarded events and deletes. */
  readonly forwarded: Exclude<ForwardedEvent, ForwardedSession>[] = [];
  readonly sessions: ForwardedSession[] = [];
  /** Filters of the queues of every project: one queue that takes every event. */
  queues: ProjectFilters['queues'] = [[]];
  readonly metrics: Metrics = createMetrics({ processMetrics: false });
  respond: (batch: readonly ForwardedEvent[]) => Promise<void> = () => Promise.resolve();
  attempts = 0;
  private storeReader: StoreReader | undefined;
  private stops: (() => Promise<void>)[] = [];

  private constructor(
    readonly log: EventLog,
    private readonly store: EventStore,
  ) {}

  static async start(options: ForwardingOptions): Promise<Forwarding> {
    const { folder, storing, logName = randomUUID(), limits, cached = true, summaries = true } = options;
    const { now = Date.now } = options;
    const log = await openEmbeddedEventLog({ dir: join(folder.dir, logName), logger });
    const forwarding = new Forwarding(log, folder.store);
    if (storing) await forwarding.startStoring();
    const cache = () => (cached ? forwarding.storeReader : undefined);
    const reader = await startForwardReader({
      log,
      store: folder.store,
      logger,
      limits,
      recent: {
        recentState: (key) => cache()?.recentState(key),
        isUnchanged: (key, version) => cache()?.isUnchanged(key, version) ?? false,
      },
      metrics: forwarding.metrics,
      redaction: acceptRedaction({ redactValues: true }),
      controlPlane: {
        forwardEvents: (batch) => forwarding.take(batch),
        routingFilters: (ids) =>
          Promise.resolve(ids.map((projectId) => ({ projectId, queues: forwarding.queues }))),
      },
      retryMaxMs: 60_000,
      summaries,
      now,
      versions: FIRST_EPOCH,
    });
    forwarding.stops.push(() => reader.stop());
    return forwarding;
  }

  async startStoring(): Promise<void> {
    const progress = {
      startAt: () => Promise.resolve(new Map()),
      stored: () => {},
      stop: () => Promise.resolve(),
    };
    const { log, store, metrics } = this;
    const reader = await startStoreReader({ log, store, logger, metrics, versions: FIRST_EPOCH, progress });
    this.storeReader = reader;
    this.stops.push(() => reader.stop());
  }

  append(...records: LoggedRecord[]): Promise<void> {
    return this.log.append(
      records.map(([kind, event, content]) => {
        const value =
          kind === 'event'
            ? Buffer.from(encodeEventRow(event))
            : Buffer.from(content ? JSON.stringify(content) : '');
        return encodeRecord({ kind, projectId: PROJECT, eventId: event.event_id, fresh: false, value });
      }),
    );
  }

  move(from: string, move: Move): Promise<void> {
    const value = Buffer.from(JSON.stringify(move));
    return this.log.append([
      encodeRecord({ kind: 'move', projectId: PROJECT, eventId: from, fresh: false, value }),
    ]);
  }

  /** Waits until the `forward` group has passed the end of the log. */
  async passed(): Promise<void> {
    const end = await this.log.end();
    await waitFor(async () => {
      const position = await this.log.position('forward');
      return [...end].every(([partition, offset]) => (position.get(partition) ?? 0) >= offset);
    });
  }

  async stop(): Promise<void> {
    for (const stop of this.stops.reverse()) await stop();
    await this.log.close();
  }

  private async take(batch: readonly ForwardedEvent[]): Promise<void> {
    this.attempts++;
    await this.respond(batch);
    for (const one of batch) {
      if (one.kind === 'session') this.sessions.push(one);
      else this.forwarded.push(one);
    }
  }
}

export async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('not in time');
    await new Promise((resume) => setTimeout(resume, 10));
  }
}
