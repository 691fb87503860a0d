import type { ConsumerLoopOptions } from '@assay/event-log';
import type { Metrics } from '@assay/runtime';

/** What happens to a reader and is worth an alarm, as metrics with the reader's group. */
export function readerMetrics(
  metrics: Metrics,
  group: string,
): Pick<ConsumerLoopOptions, 'onRetry' | 'onSetAside' | 'onBraked'> {
  const labels = ['group'] as const;
  const retries = metrics.counter(
    'assay_reader_retries_total',
    'Batches that failed for now and are tried again',
    labels,
  );
  const deadLetter = metrics.counter(
    'assay_reader_set_aside_total',
    'Records that failed for good and were set aside as dead letters',
    labels,
  );
  const stopped = metrics.gauge(
    'assay_reader_stopped',
    'Whether the reader has stopped because too many records failed: 1 or 0',
    labels,
  );
  retries.inc({ group }, 0);
  deadLetter.inc({ group }, 0);
  stopped.set({ group }, 0);
  return {
    onRetry: () => retries.inc({ group }),
    onSetAside: () => deadLetter.inc({ group }),
    onBraked: () => stopped.set({ group }, 1),
  };
}
