import type { ControlPlane } from '@assay/control-plane-client';
import type { Redaction } from '@assay/domain';
import type { EventLog } from '@assay/event-log';
import type { EventStore } from '@assay/event-store';
import type { Binding } from '@assay/http';
import { makeWaitUntilStored } from '@assay/log-readers';
import type { Logger, Metrics } from '@assay/runtime';
import { dataPlaneRoutes } from './http/routes.js';
import type { EpochRules } from './epochs/decide-epoch.js';
import { startReaders, type Readers } from './readers.js';
import type { DataPlaneDeps } from './shared/data-plane-deps.js';
import { withCheckedIds } from './shared/with-checked-ids.js';

export interface DataPlaneOptions {
  readonly log: EventLog;
  /** Already migrated. */
  readonly store: EventStore;
  readonly controlPlane: Omit<ControlPlane, 'authenticate' | 'claimRequest' | 'check'>;
  /** Which parts this process has; `all` by default. */
  readonly role?: DataPlaneRole;
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

/** `query` answers requests, `readers` stores and forwards events, `all` does both. */
export const DATA_PLANE_ROLES = ['all', 'query', 'readers'] as const;
export type DataPlaneRole = (typeof DATA_PLANE_ROLES)[number];

export interface DataPlane {
  /** None with the role `readers`. */
  readonly routes: Binding[];
  /** Absent with the role `query`. */
  readonly readers?: Readers;
}

const POLL_INTERVAL_MS = 10;

/**
 * Composes the data plane on a log and a store, and starts its readers. A read that waits for a write follows the position of the
 * `store` group on the log, which a reader of another process may move.
 * @throws StartError (exit code 78) when the log does not fit the store and only an operator can decide
 */
export async function composeDataPlane(options: DataPlaneOptions): Promise<DataPlane> {
  const { log, store, controlPlane, redaction, now, role = 'all' } = options;
  const readers = role === 'query' ? undefined : await startReaders(options);
  if (role === 'readers') return { routes: [], readers };
  const waitUntilStored = makeWaitUntilStored({
    log,
    now,
    pollIntervalMs: POLL_INTERVAL_MS,
    beforeWait: () => readers?.storeReader.loop.flush(),
  });
  const deps: DataPlaneDeps = {
    log,
    store,
    controlPlane: withCheckedIds(controlPlane, redaction),
    redaction,
    waitUntilStored: (maxWaitMs) => waitUntilStored(log.end(), maxWaitMs),
    now,
    readAfterWriteTimeoutMs: options.readAfterWriteTimeoutMs,
  };
  return { routes: dataPlaneRoutes(deps), readers };
}
