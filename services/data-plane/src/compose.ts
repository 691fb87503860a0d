import type { Binding } from '@assay/http';
import { EVALUATE_GROUP, LogProgress, makeWaitUntilRead, makeWaitUntilStored } from '@assay/log-readers';
import { openAlerts } from './alerts/open-alerts.js';
import { makeRunInOrder } from './shared/run-in-order.js';
import { makeForwardSessions } from './forwarding/forward-sessions.js';
import { dataPlaneRoutes } from './http/routes.js';
import type { DataPlaneOptions } from './options.js';
import { startBackfills } from './queues/start-backfills.js';
import { startReaders, type Readers } from './readers.js';
import type { DataPlaneDeps } from './shared/data-plane-deps.js';
import { statusRoutes } from './status/routes.js';
import { WaitingReads } from './shared/waiting-reads.js';
import { withCheckedIds } from './shared/with-checked-ids.js';

export interface DataPlane {
  /** None with the role `readers`. */
  readonly routes: Binding[];
  /** Absent with the role `query`. */
  readonly readers?: Readers;
  /** Stops the backfills, the readers and the observation of the log. Idempotent. */
  stop(): Promise<void>;
}

const POLL_INTERVAL_MS = 10;

/**
 * Composes the data plane on a log and a store, and starts its readers. A read that waits for a write follows the position of the
 * `store` group on the log, which a reader of another process may move.
 * @throws StartError (exit code 78) when the log does not fit the store and only an operator can decide
 */
export async function composeDataPlane(options: DataPlaneOptions): Promise<DataPlane> {
  const { log, store, controlPlane, redaction, now, role = 'all' } = options;
  reportQueries(options);
  const inOrder = makeRunInOrder();
  const readers = role === 'query' ? undefined : await startReaders({ ...options, inOrder });
  const backfills = role === 'query' ? undefined : startBackfills(options);
  const alerts = role === 'query' ? undefined : openAlerts(options);
  const progress = options.status && startProgress(options, options.status.groups);
  const stop = async () => {
    await Promise.all([backfills?.stop(), alerts?.stop()]);
    await readers?.stop();
    await progress?.stop();
  };
  if (role === 'readers') return { routes: [], readers, stop };
  const waitUntilStored = makeWaitUntilStored({
    log,
    now,
    pollIntervalMs: POLL_INTERVAL_MS,
    beforeWait: () => readers?.storeReader.flush(),
    handedOver: () => readers?.storeReader.handedOver(),
  });
  const waitUntilDecided = makeWaitUntilRead(EVALUATE_GROUP, { log, now, pollIntervalMs: POLL_INTERVAL_MS });
  const isEvaluated = options.status?.groups.includes(EVALUATE_GROUP) ?? false;
  const deps: DataPlaneDeps = {
    log,
    logRetentionMs: options.logRetentionMs,
    inOrder,
    store,
    controlPlane: withCheckedIds(controlPlane, redaction),
    redaction,
    waitUntilStored: (maxWaitMs) => waitUntilStored(log.end(), maxWaitMs),
    waitUntilDecided: (maxWaitMs) =>
      isEvaluated ? waitUntilDecided(log.end(), maxWaitMs) : Promise.resolve({ current: true }),
    now,
    readAfterWriteTimeoutMs: options.readAfterWriteTimeoutMs,
    waitingReads: new WaitingReads(),
    createBackup: options.createBackup,
    forwardSummaries: options.forward?.summaries ? makeForwardSessions(options) : undefined,
  };
  const storeOf = readers?.storeLimit?.status;
  const status = options.status &&
    progress && { ...options.status, counts: options.counts, progress, now, storeOf };
  return { routes: [...dataPlaneRoutes(deps), ...statusRoutes(status)], readers, stop };
}

function reportQueries({ store, metrics }: DataPlaneOptions): void {
  const description = 'Queries of clients on the event store, running and waiting for their turn';
  metrics.gauge('assay_queries', description, ['state'], (gauge) => {
    const { running, waiting } = store.administration.queryLoad();
    gauge.set({ state: 'running' }, running);
    gauge.set({ state: 'waiting' }, waiting);
  });
}

function startProgress({ log, now, metrics }: DataPlaneOptions, groups: readonly string[]): LogProgress {
  const progress = new LogProgress({ log, now, groups, metrics });
  progress.start();
  return progress;
}
