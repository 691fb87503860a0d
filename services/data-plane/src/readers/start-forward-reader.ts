import { setTimeout as sleep } from 'node:timers/promises';
import type { ControlPlane } from '@assay/control-plane-client';
import type { Redaction } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { startConsumerLoop, type EventLog, type ConsumedRecord, type ConsumerLoop } from '@assay/event-log';
import type { EventState, EventStore } from '@assay/event-store';
import type { Logger, Metrics } from '@assay/runtime';
import { makeForwardReader } from './forward-reader.js';
import { STORE_GROUP } from './start-store-reader.js';
import { readerMetrics } from './reader-metrics.js';

/** Consumer group of the reader that tells the control plane about events. */
export const FORWARD_GROUP = 'forward';

export interface ForwardReaderOptions {
  readonly log: EventLog;
  readonly store: Pick<EventStore, 'states'>;
  /** What the `store` reader of this process remembers of an event. */
  readonly recentState: (key: string) => EventState | undefined;
  readonly controlPlane: Pick<ControlPlane, 'forwardEvents'>;
  readonly redaction: Redaction;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly epoch: number;
  /** Longest wait between two tries, milliseconds. */
  readonly retryMaxMs: number;
}

const BATCH = { maxRecords: 1_000, maxBytes: 8 * 1024 * 1024, lingerMs: 500 };
const POLL_INTERVAL_MS = 50;
/** How long one try waits for the `store` group; then the read loop backs off and tries again. */
const STORED_WITHIN_MS = 10_000;

/** Starts the reader that takes events, redacted, to the control plane. It tries for ever, and nobody waits for it. */
export async function startForwardReader(options: ForwardReaderOptions): Promise<ConsumerLoop> {
  const { log, logger, metrics, now } = options;
  const forwardBatch = makeForwardReader({ ...options, waitUntilStored: makeWaitUntilStored(log, now) });
  const records = metrics.counter(
    'assay_forward_records_total',
    'Records of the log whose events the control plane was told of',
  );
  const lag = metrics.gauge(
    'assay_forward_lag_seconds',
    'Age of the oldest record at hand that the control plane was not told of, 0 when there is none',
  );
  return startConsumerLoop({
    log,
    logger,
    group: FORWARD_GROUP,
    ...BATCH,
    longestWaitMs: options.retryMaxMs,
    ...readerMetrics(metrics, FORWARD_GROUP),
    handle: async (batch) => {
      lag.set(ageSeconds(batch, now()));
      await forwardBatch(batch);
      lag.set(0);
      records.inc(batch.length);
    },
  });
}

function ageSeconds([oldest]: readonly ConsumedRecord[], now: number): number {
  return oldest ? Math.max(0, (now - oldest.appendedAt) / 1000) : 0;
}

function makeWaitUntilStored(log: Pick<EventLog, 'position'>, now: () => number) {
  return async function waitUntilStored(batch: readonly ConsumedRecord[]): Promise<void> {
    const last = batch.at(-1);
    if (!last) return;
    const deadline = now() + STORED_WITHIN_MS;
    while (((await log.position(STORE_GROUP)).get(last.partition) ?? 0) <= last.offset) {
      if (now() > deadline) throw unavailable('the events to be forwarded are not stored yet');
      await sleep(POLL_INTERVAL_MS);
    }
  };
}
