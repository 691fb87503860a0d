import type { Metrics } from '@assay/runtime';
import type { ExportManifest } from './export-hour.js';

export type ObjectExportMetrics = ReturnType<typeof makeObjectExportMetrics>;

/** Metrics of exports. @param isOwner whether this process does it; the lag of another one is 0 */
export function makeObjectExportMetrics(
  metrics: Metrics,
  { now, isOwner }: { readonly now: () => number; readonly isOwner: () => boolean },
) {
  const events = metrics.counter('assay_object_export_events_total', 'Events exported to the object store');
  const bytes = metrics.counter('assay_object_export_bytes_total', 'Bytes of files sent to the object store');
  const failures = metrics.counter(
    'assay_object_export_failures_total',
    'Attempts to export to the object store that failed and are repeated',
  );
  let caughtUpAt = now();
  metrics.gauge(
    'assay_object_export_lag_seconds',
    'Time since everything that was due was in the object store; 0 where another process exports',
    [],
    (gauge) => gauge.set(isOwner() ? Math.max(0, now() - caughtUpAt) / 1_000 : 0),
  );
  return {
    exported: ({ rows, files }: Pick<ExportManifest, 'rows' | 'files'>) => {
      events.inc(rows);
      bytes.inc(files.reduce((sum, file) => sum + file.bytes, 0));
    },
    failed: () => failures.inc(),
    /** Called when no hour that is over is left. */
    caughtUp: () => {
      caughtUpAt = now();
    },
  };
}
