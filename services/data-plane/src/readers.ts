import type { ConsumerLoop } from '@assay/event-log';
import { checkReaderHealth, readerLiveness } from '@assay/log-readers';
import type { DataPlaneOptions } from './options.js';
import type { RunInOrder } from './shared/run-in-order.js';
import { DeletedProjects } from './deleted-projects/deleted-projects.js';
import { startProjectRemoval } from './deleted-projects/start-project-removal.js';
import { startDeletions } from './deletions/start-deletions.js';
import { agreeOnEpoch } from './epochs/agree-on-epoch.js';
import { StoreProgress } from './epochs/store-progress.js';
import { makeForwardSessions } from './forwarding/forward-sessions.js';
import { startForwardReader } from './forwarding/start-forward-reader.js';
import { startObjectExport } from './object-export/start-object-export.js';
import { startPurge } from './purge/start-purge.js';
import { startRetention } from './retention/start-retention.js';
import { startStoreLimit, type StoreLimit } from './store-limit/start-store-limit.js';
import { startQuietMerges } from './ingest/quiet-merges.js';
import { startStoreReader, type StoreReader } from './ingest/start-store-reader.js';

type Checks = Readonly<Record<string, () => Promise<void>>>;

/** The process that reads this partition of the log removes the values of deleted events. Every log has it. */
const OWNED_PARTITION = 0;

export interface ReaderOptions extends DataPlaneOptions {
  /** Runs changes of dead letters one after the other. */
  readonly inOrder: RunInOrder;
}

/** The running readers of the log, deletions by filters, the removal of deleted projects and expired events, and that of deleted values. */
export interface Readers {
  readonly storeReader: StoreReader;
  /** Absent without a limit. */
  readonly storeLimit?: StoreLimit;
  /** Absent without forwarding. */
  readonly forwardReader?: ConsumerLoop;
  /**
   * Readiness checks. Neither the event store nor the control plane nor the `forward` reader is among them:
   * without these, events are still accepted. @throws AppError `UNAVAILABLE` when the `store` reader is
   * stuck, or has stopped after too many failures
   */
  readonly checks: Checks;
  /** Liveness checks: a reader that has not polled the log fails. */
  readonly liveness: Checks;
  /** Waits for the batches in progress, then stops. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Starts the readers.
 * @throws StartError (exit code 78) when the log does not fit the store and only an operator can decide
 */
export async function startReaders(options: ReaderOptions): Promise<Readers> {
  const { controlPlane, now } = options;
  const { entry, versions } = await agreeOnEpoch({ ...options, ...options.epochs });
  const progress = new StoreProgress({ ...options, entry });
  const deletedProjects = new DeletedProjects({ controlPlane, now });
  const merges = startMerges(options);
  const storeReader = await startStoreReader({
    ...options,
    onBatch: merges?.noteBatch,
    isExclusive: options.epochs.isExclusive,
    versions,
    progress,
    deletedProjects,
  });
  const stopStoring = async () => {
    await storeReader.stop();
    await merges?.stop();
  };
  const forwardReader = options.forward
    ? await startForwardReader({ ...options, ...options.forward, versions, recent: storeReader }).catch(
        stopOnFailure({ stop: stopStoring }),
      )
    : undefined;
  const projectRemoval = startProjectRemoval({
    ...options,
    deletedProjects,
    forget: (projectId) => storeReader.forget(projectId),
    everyMs: options.deletedProjectsEveryMs,
  });
  const removals = startRemovals(options, storeReader);
  return {
    storeReader,
    storeLimit: removals.storeLimit,
    forwardReader,
    checks: { reader: () => checkReaderHealth(storeReader.loop) },
    liveness: readerLiveness({ reader: storeReader.loop, 'forward reader': forwardReader }),
    stop: async () => {
      await forwardReader?.stop();
      await Promise.all([projectRemoval.stop(), removals.stop()]);
      await stopStoring();
    },
  };
}

/** Starts the removal of events that filters select or that no client has deleted, and of the values of deleted ones. */
function startRemovals(options: ReaderOptions, storeReader: StoreReader) {
  const isOwner = () => storeReader.reads(OWNED_PARTITION);
  const removal = {
    ...options,
    isOwner,
    forgetEvents: (keys: readonly string[]) => storeReader.forgetEvents(keys),
    forwardSummaries: options.forward?.summaries ? makeForwardSessions(options) : undefined,
  };
  const purge = startPurge({ ...options, ...options.purge, isOwner });
  const deletions = startDeletions({
    ...{ ...options, isOwner, isForwarding: options.forward !== undefined },
    ...{ flush: () => storeReader.flush(), times: options.deletionTimes },
  });
  const retention = startRetention({ ...removal, everyMs: options.expiredEventsEveryMs });
  const objectExport =
    options.objectExport &&
    startObjectExport({ ...options, ...options.objectExport, isOwner, flush: () => storeReader.flush() });
  const storeLimit = options.storeLimit && startStoreLimit({ ...removal, ...options.storeLimit });
  return {
    storeLimit,
    stop: async () => {
      await Promise.all([purge.stop(), deletions.stop(), retention.stop()]);
      await Promise.all([objectExport?.stop(), storeLimit?.stop()]);
    },
  };
}

function startMerges({ mergeParts, ...options }: ReaderOptions) {
  return mergeParts && startQuietMerges({ ...options, mergeParts });
}

/** Stops what runs when a later part fails to start, so that nothing is left running. */
function stopOnFailure(running: Pick<StoreReader, 'stop'>) {
  return async (error: unknown): Promise<never> => {
    await running.stop();
    throw error;
  };
}
