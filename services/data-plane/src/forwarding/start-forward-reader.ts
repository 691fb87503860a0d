import type { ControlPlane } from '@assay/control-plane-client';
import type { Redaction } from '@assay/domain';
import { startConsumerLoop, type EventLog, type ConsumedRecord, type ConsumerLoop } from '@assay/event-log';
import {
  countByProject,
  filtersNotDecided,
  FORWARD_GROUP,
  makeWaitUntilStored,
  readerMetrics,
  traceBatches,
  type StageCounts,
} from '@assay/log-readers';
import type { Logger, Metrics } from '@assay/runtime';
import type { Tracing } from '@assay/telemetry';
import { makeBatchInterval } from '../ingest/batch-interval.js';
import { projectOf } from '../shared/consumed-event-record.js';
import type { LogVersions } from '../shared/log-versions.js';
import { makeForwardBatch, type ForwardBatchDeps } from './forward-batch.js';
import { SessionForwarder, type SessionForwarderOptions } from './session-forwarder.js';
import type { ThrottleLimits } from './session-throttle.js';

export interface ForwardReaderOptions {
  readonly log: EventLog;
  readonly store: ForwardBatchDeps['store'] & SessionForwarderOptions['store'];
  /** Limits of how often large sessions are summarised; for tests. */
  readonly limits?: ThrottleLimits;
  /** The cache of this process's `store` reader. */
  readonly recent: ForwardBatchDeps['recent'];
  readonly controlPlane: Pick<ControlPlane, 'forwardEvents' | 'routingFilters'>;
  readonly redaction: Redaction;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly versions: LogVersions;
  /** Maximum retry backoff, in milliseconds. */
  readonly retryMaxMs: number;
  /** Whether summaries of sessions are forwarded. */
  readonly summaries: boolean;
  /** Counts what is forwarded by project; absent: not counted. */
  readonly counts?: StageCounts;
  /** Absent when this process traces nothing. */
  readonly tracing?: Tracing | undefined;
}

/** A batch costs a statement and one summary of each session that it touches, so that few large batches are cheaper than many. */
const BATCH = { maxRecords: 10_000, maxBytes: 32 * 1024 * 1024 };
const INTERVALS = { idle: 1_000, busy: 2_000 };
const POLL_INTERVAL_MS = 50;

/**
 * Starts the reader that forwards redacted events to the control plane. It retries forever; nothing waits for
 * it.
 */
export async function startForwardReader(options: ForwardReaderOptions): Promise<ConsumerLoop> {
  const { log, logger, metrics, now } = options;
  const stopping = new AbortController();
  const waitUntilStored = makeWaitUntilStored({
    ...{ log, now, pollIntervalMs: POLL_INTERVAL_MS, stopping: stopping.signal },
  });
  const sessions = options.summaries ? new SessionForwarder(options) : undefined;
  const notDecided = filtersNotDecided(metrics);
  const onNotDecided = () => notDecided.inc({ part: 'queues' });
  const forwardBatch = makeForwardBatch({ ...options, waitUntilStored, sessions, onNotDecided });
  const records = metrics.counter(
    'assay_forward_records_total',
    'Log records whose events were forwarded to the control plane',
  );
  const lag = metrics.gauge(
    'assay_forward_lag_seconds',
    'Age of the oldest record of the current batch that is not forwarded yet, 0 when there is none',
  );
  const loop = await startConsumerLoop({
    log,
    logger,
    group: FORWARD_GROUP,
    ...BATCH,
    lingerMs: makeBatchInterval(INTERVALS),
    maxBackoffMs: options.retryMaxMs,
    ...readerMetrics(metrics, FORWARD_GROUP),
    projectOf,
    epochOf: (record) => options.versions.epochOf(record),
    handle: traceBatches(options.tracing, 'forward batch', async (batch, reject, guarded) => {
      lag.set(ageSeconds(batch, now()));
      await forwardBatch(batch, reject, guarded);
      lag.set(0);
      records.inc(batch.length);
      for (const [project, count] of countByProject(batch, projectOf))
        options.counts?.add('forwarded', project, count);
    }),
    onAssigned: () => sessions?.reassigned(),
  });
  sessions?.start();
  return stoppedBy(loop, async () => {
    // A batch whose events are not stored yet is read again by the next process.
    stopping.abort();
    await loop.stop();
    await sessions?.stop();
  });
}

/** Returns the loop with another way to stop it. */
function stoppedBy(loop: ConsumerLoop, stop: () => Promise<void>): ConsumerLoop {
  return {
    pause: () => loop.pause(),
    resume: () => loop.resume(),
    flush: () => loop.flush(),
    idleMs: () => loop.idleMs(),
    tripped: () => loop.tripped(),
    stop,
  };
}

function ageSeconds([oldest]: readonly ConsumedRecord[], now: number): number {
  return oldest ? Math.max(0, (now - oldest.appendedAt) / 1000) : 0;
}
