import type { RunsWithMetrics } from '@assay/control-plane-client';

/** Bytes after which a page ends. */
const PAGE_BYTES = 2 * 1024 * 1024;

/** A part of the runs and of the rules, which follow the runs. */
export interface RunsPage extends RunsWithMetrics {
  /** How many runs and rules this page and those before it have; null after the last page. */
  readonly next: number | null;
}

/** Returns the page after `skip` runs and rules: about 2 MiB, but at least one of them. */
export function runsPage({ runs, metrics }: RunsWithMetrics, skip: number): RunsPage {
  const sizes = [...runs, ...metrics].slice(skip).map((item) => JSON.stringify(item).length);
  let [count, bytes] = [0, 0];
  for (; count < sizes.length && bytes < PAGE_BYTES; count++) bytes += sizes[count] ?? 0;
  const end = skip + count;
  return {
    runs: runs.slice(skip, end),
    metrics: metrics.slice(Math.max(0, skip - runs.length), Math.max(0, end - runs.length)),
    next: count < sizes.length ? end : null,
  };
}
