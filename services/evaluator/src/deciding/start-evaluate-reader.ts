import { RECORD_HEADERS } from '@assay/contracts';
import { startConsumerLoop, type ConsumedRecord, type ConsumerLoop, type EventLog } from '@assay/event-log';
import {
  countByProject,
  EVALUATE_GROUP,
  filtersNotDecided,
  readerMetrics,
  traceBatches,
  type StageCounts,
} from '@assay/log-readers';
import type { Logger, Metrics } from '@assay/runtime';
import type { Tracing } from '@assay/telemetry';
import { makeDecideBatch, type DecideBatchDeps } from './decide-batch.js';

export interface EvaluateReaderOptions extends Omit<DecideBatchDeps, 'log'> {
  readonly log: EventLog;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Called as soon as this process knows which partitions it reads from now on. */
  readonly onAssignment: (partitions: readonly number[]) => void;
  /** Called when partitions were assigned, before their first batch. */
  readonly onAssigned: (partitions: readonly number[]) => void;
  /** Counts what is decided about by project; absent: not counted. */
  readonly counts?: StageCounts;
  /** Absent when this process traces nothing. */
  readonly tracing?: Tracing | undefined;
}

const BATCH = { maxRecords: 2_000, maxBytes: 32 * 1024 * 1024, lingerMs: 200 };
const MAX_BACKOFF_MS = 10_000;

/** Starts the reader that decides which events are evaluated. It retries for ever; nothing waits for it. */
export async function startEvaluateReader(options: EvaluateReaderOptions): Promise<ConsumerLoop> {
  const { log, logger, metrics, onAssigned } = options;
  const notDecided = filtersNotDecided(metrics);
  const { decideBatch, catchUp } = makeDecideBatch({
    ...options,
    onNotDecided: (_projectId, decisions) => notDecided.inc({ part: 'evaluators' }, decisions),
  });
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
    projectOf,
    onAssigned: options.onAssignment,
    handle: traceBatches(options.tracing, 'evaluate batch', async (batch, _reject, guarded) => {
      await decideBatch(batch, guarded);
      records.inc(batch.length);
      for (const [project, count] of countByProject(batch, projectOf))
        options.counts?.add('evaluated', project, count);
    }),
    startAt: async (partitions) => {
      // The first batch waits until the store has the decisions of earlier readers. The start of the process does not: the store
      // may be unavailable, or its disk full.
      await catchUp();
      onAssigned(partitions);
      return new Map();
    },
  });
}

function projectOf({ headers }: ConsumedRecord): string | undefined {
  return headers[RECORD_HEADERS.project];
}
