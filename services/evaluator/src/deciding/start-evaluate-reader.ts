import { RECORD_HEADERS } from '@assay/contracts';
import { startConsumerLoop, type ConsumerLoop, type EventLog } from '@assay/event-log';
import { EVALUATE_GROUP, readerMetrics } from '@assay/log-readers';
import type { Logger, Metrics } from '@assay/runtime';
import { makeDecideBatch, type DecideBatchDeps } from './decide-batch.js';

export interface EvaluateReaderOptions extends Omit<DecideBatchDeps, 'log'> {
  readonly log: EventLog;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called when partitions were assigned, before their first batch; the store then has all earlier decisions. */
  readonly onAssigned: (partitions: readonly number[]) => void;
}

const BATCH = { maxRecords: 2_000, maxBytes: 32 * 1024 * 1024, lingerMs: 200 };
const MAX_BACKOFF_MS = 10_000;
/** Longest wait for the store when partitions were assigned; then the assignment is retried. */
const MAX_ASSIGN_WAIT_MS = 30_000;

/** Starts the reader that decides which events are evaluated. It retries for ever; nothing waits for it. */
export async function startEvaluateReader(options: EvaluateReaderOptions): Promise<ConsumerLoop> {
  const { log, logger, metrics, onAssigned, waitUntilStored } = options;
  const { decideBatch, catchUp } = makeDecideBatch(options);
  const records = metrics.counter(
    'assay_evaluate_records_total',
    'Log records whose events were decided about',
  );
  return startConsumerLoop({
    log,
    logger,
    group: EVALUATE_GROUP,
    ...BATCH,
    maxBackoffMs: MAX_BACKOFF_MS,
    ...readerMetrics(metrics, EVALUATE_GROUP),
    projectOf: ({ headers }) => headers[RECORD_HEADERS.project],
    handle: async (batch) => {
      await decideBatch(batch);
      records.inc(batch.length);
    },
    startAt: async (partitions) => {
      await catchUp();
      const { current } = await waitUntilStored(await log.end(), MAX_ASSIGN_WAIT_MS);
      if (!current) throw new Error('the decisions of earlier readers are not stored yet');
      onAssigned(partitions);
      return new Map();
    },
  });
}
