import { unavailable } from '@assay/errors';
import type { ConsumerLoop, ConsumerLoopOptions } from '@assay/event-log';
import type { Metrics } from '@assay/runtime';

/** A reader that has made no progress for this long is stuck; see `Consumer.idleMs` for what is progress. */
const STUCK_AFTER_MS = 30_000;

/**
 * Returns the callbacks of a consumer loop that count its retries and dead letters, labelled with the group.
 */
export function readerMetrics(
  metrics: Metrics,
  group: string,
): Pick<
  ConsumerLoopOptions,
  'onRetry' | 'onDeadLetter' | 'onDeadLetterDropped' | 'onFatalRecord' | 'onTripped'
> {
  const labels = ['group'] as const;
  const retries = metrics.counter(
    'assay_reader_retries_total',
    'Batches that failed with a retryable error and are retried',
    labels,
  );
  const deadLetters = metrics.counter(
    'assay_reader_set_aside_total',
    'Records that failed with a permanent error and became dead letters',
    labels,
  );
  const dropped = metrics.counter(
    'assay_reader_dead_letters_dropped_total',
    'Records that failed with a permanent error and were not stored, because the dead letters of their project are full',
    labels,
  );
  const fatal = metrics.counter(
    'assay_reader_fatal_records_total',
    'Records that became dead letters because the process has ended twice while it handled them',
    labels,
  );
  const stopped = metrics.gauge(
    'assay_reader_stopped',
    'Whether the reader has stopped because too many records failed: 1 or 0',
    labels,
  );
  retries.inc({ group }, 0);
  deadLetters.inc({ group }, 0);
  dropped.inc({ group }, 0);
  fatal.inc({ group }, 0);
  stopped.set({ group }, 0);
  return {
    onRetry: () => retries.inc({ group }),
    onDeadLetter: () => deadLetters.inc({ group }),
    onDeadLetterDropped: () => dropped.inc({ group }),
    onFatalRecord: () => fatal.inc({ group }),
    onTripped: () => stopped.set({ group }, 1),
  };
}

/** Returns the counter of filters that took too much work, by what they were evaluated for: `evaluators` or `queues`. */
export function filtersNotDecided(metrics: Metrics): ReturnType<typeof metrics.counter<'part'>> {
  return metrics.counter(
    'assay_filters_not_decided_total',
    'Decisions that were not made, because the filters of a project need more work than an event may cause',
    ['part'],
  );
}

/**
 * Resolves while a reader makes progress or waits to retry.
 * @throws AppError `UNAVAILABLE` when it is stuck, or has stopped because too many records failed
 */
export function checkReaderHealth(loop: Pick<ConsumerLoop, 'tripped' | 'idleMs'>): Promise<void> {
  if (loop.tripped())
    return Promise.reject(unavailable('the reader has stopped because too many records failed'));
  if (loop.idleMs() > STUCK_AFTER_MS) return Promise.reject(unavailable('the reader is stuck'));
  return Promise.resolve();
}
