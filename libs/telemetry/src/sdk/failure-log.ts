import type { Logger, Metrics } from '@assay/runtime';

const INTERVAL_MS = 60_000;

/** Counts failed exports, and logs at most one a minute: without the address, which may contain a secret. */
export class FailureLog {
  private readonly failures: ReturnType<typeof failuresOf>;
  private loggedAt = -Infinity;

  constructor(
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.failures = failuresOf(metrics);
  }

  add(signal: 'traces' | 'metrics', reason: string): void {
    this.failures.inc({ signal });
    const now = performance.now();
    if (now - this.loggedAt < INTERVAL_MS) return;
    this.loggedAt = now;
    this.logger.warn('telemetry was not exported', { signal, reason });
  }
}

function failuresOf(metrics: Metrics) {
  const failures = metrics.counter(
    'assay_telemetry_export_failures_total',
    'Exports of spans or metrics of this process that failed',
    ['signal'],
  );
  for (const signal of ['traces', 'metrics']) failures.inc({ signal }, 0);
  return failures;
}
