import type { ControlPlane } from '@assay/control-plane-client';
import type { Redaction } from '@assay/domain';
import type { EventLog, ConsumerLoop } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import type { Binding } from '@assay/http';
import type { Logger, Metrics } from '@assay/runtime';
import { dataPlaneRoutes } from './http/routes.js';
import { checkReaderHealth } from './readers/check-reader-health.js';
import { makeWaitUntilStored } from './readers/freshness.js';
import { startForwardReader } from './readers/start-forward-reader.js';
import { STORE_GROUP, startStoreReader, type StoreReader } from './readers/start-store-reader.js';

export interface DataPlaneOptions {
  readonly log: EventLog;
  /** Migrated before. */
  readonly store: EventStore;
  readonly controlPlane: Omit<ControlPlane, 'authenticate' | 'claimRequest' | 'check'>;
  /** How the control plane is told about events, with the longest wait before it is told again; absent: it is told nothing. */
  readonly forward?: { readonly retryMaxMs: number };
  /** What of an event may reach the control plane. */
  readonly redaction: Redaction;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly now: () => number;
  /** Epoch of the log's partitions, 0 unless their number was changed. */
  readonly epoch: number;
}

export interface DataPlane {
  readonly routes: Binding[];
  readonly storeReader: StoreReader;
  /** Absent when the control plane is not told about events. */
  readonly forwardReader?: ConsumerLoop;
  /** By reader: resolves while it turns. @throws AppError `UNAVAILABLE` when it is stuck, or has stopped after too many failures */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
}

const POLL_INTERVAL_MS = 10;

/** Plugs the data plane together on a log and a store, and starts the reader between them. */
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
    group: STORE_GROUP,
    reading: storeReader.loop,
    now,
    pollIntervalMs: POLL_INTERVAL_MS,
  });
  return {
    routes: dataPlaneRoutes({ log, store, controlPlane, redaction, waitUntilStored, now }),
    storeReader,
    forwardReader,
    checks: {
      reader: () => checkReaderHealth(storeReader.loop),
      ...(forwardReader && { 'forward reader': () => checkReaderHealth(forwardReader) }),
    },
  };
}

/** A start that fails leaves nothing running. */
function stopOnFailure(reader: StoreReader) {
  return async (error: unknown): Promise<never> => {
    await reader.stop();
    throw error;
  };
}
