import type { DeletedValues, PurgeStep } from '@assay/event-store';
import type { Metrics } from '@assay/runtime';

/** Metrics of the removal of deleted events from the disk. */
export interface PurgeMetrics {
  set(left: DeletedValues, now: number): void;
  /** Sets everything to 0, where another process does it. */
  clear(): void;
  note(step: PurgeStep): void;
}

export function makePurgeMetrics(metrics: Metrics, withinMs: number): PurgeMetrics {
  const rows = metrics.gauge(
    'assay_deleted_rows_pending',
    'Rows with values of deleted events that are still on disk',
  );
  const bytes = metrics.gauge('assay_deleted_bytes_pending', 'Bytes on disk of these rows, estimated');
  const oldest = metrics.gauge(
    'assay_deleted_oldest_seconds',
    'Time since the oldest delete whose values are still on disk',
  );
  const removed = metrics.counter(
    'assay_deleted_rows_purged_total',
    'Rows with values of deleted events that this process has had removed from the disk',
  );
  const tombstones = metrics.counter(
    'assay_deleted_tombstones_removed_total',
    'Rows that only said that events were deleted, which this process has had removed from the disk',
  );
  const rewritten = metrics.counter(
    'assay_deleted_rewritten_bytes_total',
    'Bytes on disk of the parts that this process has had rewritten because of deletes',
  );
  metrics
    .gauge(
      'assay_deleted_within_seconds',
      'Time after a delete within which its values are to leave the disk',
    )
    .set(withinMs / 1_000);
  const set = (left: DeletedValues, now: number) => {
    rows.set(left.rows);
    bytes.set(left.bytes);
    oldest.set(left.oldest === undefined ? 0 : Math.max(0, now - left.oldest) / 1_000);
  };
  const clear = () => set({ rows: 0, bytes: 0 }, 0);
  clear();
  return {
    set,
    clear,
    note: (step) => {
      (step.isForgetting ? tombstones : removed).inc(step.rows);
      rewritten.inc(step.bytes);
    },
  };
}
