import type { Metrics } from '@assay/runtime';
import type { ExpiredCounts } from './expire-page.js';

/** Metrics of the removal of expired events. */
export interface RetentionMetrics {
  note(counts: ExpiredCounts): void;
  noteDeadLetters(letters: number): void;
  /** Called when the events of all projects were looked at. */
  looked(): void;
}

/** @param isOwner whether this process does it; the time of another one is 0 */
export function makeRetentionMetrics(
  metrics: Metrics,
  { now, isOwner }: { readonly now: () => number; readonly isOwner: () => boolean },
): RetentionMetrics {
  const events = metrics.counter(
    'assay_expired_events_total',
    'Events removed because their retention is over',
  );
  const late = metrics.counter(
    'assay_expired_late_events_total',
    'Removed events that were stored, or changed to start earlier, after their retention was over',
  );
  const letters = metrics.counter(
    'assay_expired_dead_letters_total',
    'Dead letters removed because the retention of their project is over',
  );
  let lookedAt = now();
  metrics.gauge(
    'assay_expiry_age_seconds',
    'Time since this process last looked at all projects for expired events; 0 where another process does it',
    [],
    (gauge) => gauge.set(isOwner() ? Math.max(0, now() - lookedAt) / 1_000 : 0),
  );
  return {
    note: (counts) => {
      events.inc(counts.events);
      late.inc(counts.late);
    },
    noteDeadLetters: (removed) => letters.inc(removed),
    looked: () => {
      lookedAt = now();
    },
  };
}
