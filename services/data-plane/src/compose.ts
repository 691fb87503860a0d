import type { ControlPlane } from '@assay/control-plane-client';
import type { Redaction } from '@assay/domain';
import type { EventLog, ConsumerLoop } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import type { Binding } from '@assay/http';
import type { Logger, Metrics } from '@assay/runtime';
import { dataPlaneRoutes } from './http/routes.js';
import type { DataPlaneDeps } from './shared/data-plane-deps.js';
import { checkReaderHealth } from './shared/reader-monitoring.js';
import { makeWaitUntilStored } from './freshness/wait-until-stored.js';
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
  /** Epoch of the log's partitions, 0 unless their number was changed. */
  readonly epoch: number;
}

export interface DataPlane {
  readonly routes: Binding[];
  readonly storeReader: StoreReader;
  /** Absent without forwarding. */
  readonly forwardReader?: ConsumerLoop;
  /**
   * Readiness checks. Neither the event store nor the control plane nor the `forward` reader is among them:
   * without these, events are still accepted. @throws AppError `UNAVAILABLE` when the `store` reader is
   * stuck, or has stopped after too many failures
   */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
}

const POLL_INTERVAL_MS = 10;

/** Composes the data plane on a log and a store, and starts its readers. */
export async function composeDataPlane(options: DataPlaneOptions): Promise<DataPlane> {
  const { log, store, controlPlane, redaction, now } = options;
  const storeReader = await startStoreReader(options);
  const recentState = (key: string) => storeReader.recentState(key);
  const forwardReader = options.forward
    ? await startForwardReader({ ...options, ...options.forward, recentState }).catch(
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
    controlPlane,
    redaction,
    waitUntilStored: (maxWaitMs) => waitUntilStored(log.end(), maxWaitMs),
    now,
    readAfterWriteTimeoutMs: options.readAfterWriteTimeoutMs,
  };
  return {
    routes: dataPlaneRoutes(deps),
    storeReader,
    forwardReader,
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
