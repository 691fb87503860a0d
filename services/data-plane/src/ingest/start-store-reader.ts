import {
  startConsumerLoop,
  type ConsumedRecord,
  type ConsumerLoop,
  type ConsumerLoopOptions,
  type EventLog,
  type LogPosition,
} from '@assay/event-log';
import type { EventState, EventStore, StoreBatch } from '@assay/event-store';
import {
  countByProject,
  readerMetrics,
  STORE_GROUP,
  traceBatches,
  type StageCounts,
} from '@assay/log-readers';
import type { Logger, Metrics } from '@assay/runtime';
import type { Tracing } from '@assay/telemetry';
import type { DeletedProjects } from '../deleted-projects/deleted-projects.js';
import { projectOf } from '../shared/consumed-event-record.js';
import type { StoreProgress } from '../epochs/store-progress.js';
import { EventStateCache } from '../shared/event-state-cache.js';
import type { LogVersions } from '../shared/log-versions.js';
import { makeBatchInterval, STORE_INTERVALS } from './batch-interval.js';
import { EventIdFilterLoader } from './event-id-filter-loader.js';
import { EventIdFilter } from './event-id-filter.js';
import { KnownIdsFile } from './known-ids-file.js';
import { HandOverLog } from './hand-over-log.js';
import { JoinedWrites } from './joined-writes.js';
import { makeStoreBatch } from './store-batch.js';

export interface StoreReaderOptions {
  readonly log: EventLog;
  readonly store: EventStore;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly versions: LogVersions;
  /** Where reading starts, and where progress is recorded. */
  readonly progress: Pick<StoreProgress, 'startAt' | 'stored' | 'stop'>;
  /** Projects whose records are dropped; absent: none. */
  readonly deletedProjects?: DeletedProjects;
  /** Whether no other process writes to the event store. It then takes more inserts while the process has time. */
  readonly isExclusive?: boolean;
  /** Where the ids of all events are kept from one process to the next; absent: nowhere. */
  readonly knownIdsFile?: string;
  /** Called before a batch of so many records is stored. */
  readonly onBatch?: (records: number) => void;
  /** Counts what is stored by project; absent: not counted. */
  readonly counts?: StageCounts;
  /** Absent when this process traces nothing. */
  readonly tracing?: Tracing | undefined;
}

const MAX_RECORDS = 5_000;
const MAX_BYTES = 32 * 1024 * 1024;
const CACHE_BYTES = 64 * 1024 * 1024;
const FILTER_BYTES = 256 * 1024 * 1024;
const LOAD_RETRY_MS = 5_000;
/** Ids of 64 MB, which take about two seconds of CPU to read. */
const KEPT_EVERY = 4_000_000;

/** The running `store` reader. */
export interface StoreReader {
  readonly loop: ConsumerLoop;
  /** Stores what has been read without waiting for more. */
  flush(): void;
  /**
   * Returns the cached state of `projectId/eventId`; undefined when it is not in the cache. It has its payload
   * unless that is not wanted.
   */
  recentState(key: string, wanted?: { readonly withoutPayload: boolean }): EventState | undefined;
  /** Returns whether the cache has the event as the record of this version created it. */
  isUnchanged(key: string, version: number): boolean;
  /** Returns the end of the log after the last records that storing has appended; empty without any. */
  handedOver(): LogPosition;
  /** Returns whether this process reads the partition of the log: of several processes one does. */
  reads(partition: number): boolean;
  /** Drops the cached states of a project's events. */
  forget(projectId: string): void;
  /** Drops the cached states of events, by `projectId/eventId`. */
  forgetEvents(keys: readonly string[]): void;
  /** Waits for the batch in progress, then stops reading. Idempotent. */
  stop(): Promise<void>;
}

/** Starts the reader that writes the log to the event store. */
export async function startStoreReader(options: StoreReaderOptions): Promise<StoreReader> {
  const { log, store, logger, metrics, versions, progress } = options;
  const known = new EventIdFilter(FILTER_BYTES);
  const recent = new EventStateCache(CACHE_BYTES);
  const held: { partitions: readonly number[] } = { partitions: [] };
  const loader = makeLoader(options, known);
  const handOvers = new HandOverLog(log);
  const limits = batchLimits(options);
  const joinedWrites = makeJoinedWrites(options, limits.lingerMs);
  const write = joinedWrites && ((batch: StoreBatch) => joinedWrites.write(batch));
  const storeBatch = makeStoreBatch({ store, write, log: handOvers, known, recent, versions });
  await loader.restore();
  void loader.load();
  const loop = await startConsumerLoop({
    log,
    logger,
    group: STORE_GROUP,
    ...limits,
    ...readerMetrics(metrics, STORE_GROUP),
    projectOf,
    epochOf: (record) => versions.epochOf(record),
    handle: makeHandleBatch(options, storeBatch, { joinedWrites, loader }),
    onAssigned: (partitions) => {
      held.partitions = partitions;
      recent.clear();
      void loader.load();
    },
    startAt: (partitions) => progress.startAt(partitions),
  });
  const stop = async () => {
    loader.stop();
    await loop.stop();
    await progress.stop();
    await loader.keep();
  };
  return {
    loop,
    flush: () => {
      loop.flush();
      joinedWrites?.flush();
    },
    stop,
    recentState: (key, wanted) => recent.get(key, wanted),
    isUnchanged: (key, version) => recent.isUnchanged(key, version),
    handedOver: () => handOvers.end(),
    reads: (partition) => held.partitions.includes(partition),
    forget: (projectId) => recent.deleteProject(projectId),
    forgetEvents: (keys) => recent.delete(keys),
  };
}

function makeLoader(
  { store, logger, knownIdsFile, isExclusive = false }: StoreReaderOptions,
  known: EventIdFilter,
): EventIdFilterLoader {
  const file = knownIdsFile === undefined ? undefined : new KnownIdsFile(knownIdsFile, logger);
  return new EventIdFilterLoader({
    ...{ store, known, isExclusive, file, logger },
    keptEvery: KEPT_EVERY,
    retryAfterMs: LOAD_RETRY_MS,
  });
}

interface PartsOfStoring {
  readonly joinedWrites: JoinedWrites | undefined;
  readonly loader: EventIdFilterLoader;
}

/** Returns a function that stores a batch of the log, counts it and traces it. */
function makeHandleBatch(
  options: StoreReaderOptions,
  storeBatch: ConsumerLoopOptions['handle'],
  { joinedWrites, loader }: PartsOfStoring,
): ConsumerLoopOptions['handle'] {
  const { metrics, progress } = options;
  const records = metrics.counter('assay_store_records_total', 'Log records written to the event store');
  const seconds = batchSeconds(metrics);
  const onStored = makeOnStored(options);
  const withoutDeleted = makeWithoutDeletedProjects(options);
  const handleBatch: ConsumerLoopOptions['handle'] = async (batch, reject, guarded) => {
    const stopTimer = seconds.startTimer();
    options.onBatch?.(batch.length);
    const kept = await withoutDeleted(batch);
    const store = () => storeBatch(kept, reject, guarded);
    await (joinedWrites ? joinedWrites.during(store) : store());
    progress.stored(batch);
    loader.stored();
    stopTimer();
    records.inc(batch.length);
    onStored(batch);
  };
  return traceBatches(options.tracing, 'store batch', handleBatch);
}

function batchSeconds(metrics: Metrics) {
  const buckets = [0.01, 0.03, 0.1, 0.3, 1, 3, 10];
  return metrics.histogram('assay_store_batch_seconds', 'Time to store one batch', buckets);
}

/** A batch is stored when it has so many records or bytes, or an interval after the start of the one before it. */
function batchLimits({ isExclusive = false, store }: StoreReaderOptions) {
  const lingerMs = isExclusive
    ? makeBatchInterval(STORE_INTERVALS.exclusive, { queries: () => store.administration.queryLoad().asked })
    : makeBatchInterval(STORE_INTERVALS.shared);
  return { maxRecords: MAX_RECORDS, maxBytes: MAX_BYTES, lingerMs };
}

/** Joins the writes of several partitions; those of a single process come from one. */
function makeJoinedWrites(
  { isExclusive = false, store, metrics }: StoreReaderOptions,
  intervalMs: () => number,
): JoinedWrites | undefined {
  if (isExclusive) return undefined;
  const writes = metrics.counter(
    'assay_store_writes_total',
    'Writes to the event store, each with one batch or more',
  );
  const write = (batch: StoreBatch) => store.writer.write(batch);
  return new JoinedWrites({ write, intervalMs, onWritten: () => writes.inc() });
}

/** Returns a function that measures the time from the append of each record until it is visible, and counts them by project. */
function makeOnStored({ metrics, counts }: StoreReaderOptions) {
  const visible = metrics.histogram(
    'assay_event_visible_seconds',
    'Time from accepting a record until queries find it',
    [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
  );
  return function onStored(batch: readonly ConsumedRecord[]): void {
    const now = Date.now();
    for (const { appendedAt } of batch) visible.observe(Math.max(0, now - appendedAt) / 1_000);
    if (counts)
      for (const [project, stored] of countByProject(batch, projectOf)) counts.add('stored', project, stored);
  };
}

/** Returns a function that leaves out the records of deleted projects. */
function makeWithoutDeletedProjects({ deletedProjects, metrics }: StoreReaderOptions) {
  const dropped = metrics.counter(
    'assay_deleted_project_records_total',
    'Log records that were dropped because their project is deleted',
  );
  return async function withoutDeletedProjects(
    batch: readonly ConsumedRecord[],
  ): Promise<readonly ConsumedRecord[]> {
    if (deletedProjects === undefined) return batch;
    const projects = new Set<string>();
    for (const record of batch) projects.add(projectOf(record) ?? '');
    projects.delete('');
    await deletedProjects.lookUpNew(projects);
    if (![...projects].some((project) => deletedProjects.has(project))) return batch;
    const kept = batch.filter((record) => !deletedProjects.has(projectOf(record) ?? ''));
    dropped.inc(batch.length - kept.length);
    return kept;
  };
}
