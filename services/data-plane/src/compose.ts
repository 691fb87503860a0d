import type { ControlPlane } from '@assay/control-plane-client';
import type { Redaction } from '@assay/domain';
import type { EventLog, ConsumerLoop } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import type { Binding } from '@assay/http';
import type { Logger, Metrics } from '@assay/runtime';
import { DeletedProjects } from './deleted-projects/deleted-projects.js';
import { startProjectRemoval, type ProjectRemoval } from './deleted-projects/start-project-removal.js';
import { dataPlaneRoutes } from './http/routes.js';
import { agreeOnEpoch } from './epochs/agree-on-epoch.js';
import type { EpochRules } from './epochs/decide-epoch.js';
import { StoreProgress } from './epochs/store-progress.js';
import type { DataPlaneDeps } from './shared/data-plane-deps.js';
import { withCheckedIds } from './shared/with-checked-ids.js';
import { checkReaderHealth } from './shared/reader-monitoring.js';
import { makeWaitUntilStored } from './freshness/wait-until-stored.js';
import { makeForwardSessions } from './forwarding/forward-sessions.js';
import { startForwardReader } from './forwarding/start-forward-reader.js';
import { startStoreReader, type StoreReader } from './ingest/start-store-reader.js';

export interface DataPlaneOptions {
  readonly log: EventLog;
  /** Already migrated. */
  readonly store: EventStore;
  readonly controlPlane: Omit<ControlPlane, 'authenticate' | 'claimRequest' | 'check'>;
  /** Forwards events to the control plane, with this maximum retry backoff; absent: no forwarding. */
  readonly forward?: { readonly retryMaxMs: number };
  /** Rules for what the control plane may see of an event. */
  readonly redaction: Redaction;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly now: () => number;
  /** How long results of runs wait for what was accepted before them. */
  readonly readAfterWriteTimeoutMs: number;
  /** How the epoch of the log is determined. */
  readonly epochs: Omit<EpochRules, 'kept'>;
  /** File that keeps the epoch for the case that the store is lost. */
  readonly epochFile?: string;
  /** Called when the log or the store has been replaced while this process runs, which then has to end. */
  readonly onReplaced: (error: Error) => void;
  /** Time between two rounds of the removal of deleted projects, in milliseconds. */
  readonly deletedProjectsEveryMs: number;
}

export interface DataPlane {
  readonly routes: Binding[];
  readonly storeReader: StoreReader;
  /** Absent without forwarding. */
  readonly forwardReader?: ConsumerLoop;
  readonly projectRemoval: ProjectRemoval;
  /**
   * Readiness checks. Neither the event store nor the control plane nor the `forward` reader is among them:
   * without these, events are still accepted. @throws AppError `UNAVAILABLE` when the `store` reader is
   * stuck, or has stopped after too many failures
   */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
}

const POLL_INTERVAL_MS = 10;

/**
 * Composes the data plane on a log and a store, and starts its readers.
 * @throws StartError (exit code 78) when the log does not fit the store and only an operator can decide
 */
export async function composeDataPlane(options: DataPlaneOptions): Promise<DataPlane> {
  const { log, store, controlPlane, redaction, now } = options;
  const { entry, versions } = await agreeOnEpoch({ ...options, ...options.epochs });
  const progress = new StoreProgress({ ...options, entry });
  const deletedProjects = new DeletedProjects({ controlPlane, now });
  const storeReader = await startStoreReader({ ...options, versions, progress, deletedProjects });
  const forwardReader = options.forward
    ? await startForwardReader({ ...options, ...options.forward, versions, recent: storeReader }).catch(
        stopOnFailure(storeReader),
      )
    : undefined;
  const waitUntilStored = makeWaitUntilStored({
    log,
    now,
    pollIntervalMs: POLL_INTERVAL_MS,
    beforeWait: () => storeReader.loop.flush(),
  });
  const deps: DataPlaneDeps = {
    log,
    store,
    controlPlane: withCheckedIds(controlPlane, redaction),
    redaction,
    waitUntilStored: (maxWaitMs) => waitUntilStored(log.end(), maxWaitMs),
    now,
    readAfterWriteTimeoutMs: options.readAfterWriteTimeoutMs,
    forwardSummaries: options.forward && makeForwardSessions(options),
  };
  const projectRemoval = startProjectRemoval({
    ...options,
    deletedProjects,
    forget: (projectId) => storeReader.forget(projectId),
    everyMs: options.deletedProjectsEveryMs,
  });
  return {
    routes: dataPlaneRoutes(deps),
    storeReader,
    forwardReader,
    projectRemoval,
    checks: { reader: () => checkReaderHealth(storeReader.loop) },
  };
}

/** Stops the store reader when a later part fails to start, so that nothing is left running. */
function stopOnFailure(reader: StoreReader) {
  return async (error: unknown): Promise<never> => {
    await reader.stop();
    throw error;
  };
}
