import type { Route } from '@assay/contracts';
import type { Metrics } from '@assay/runtime';
import type { ByteBudget } from '../scheduling/byte-budget.js';

/** Counts responses by operation and status, and the requests to deprecated routes. */
export interface RequestMetrics {
  observe(operation: string, status: number, seconds: number): void;
}

/** Buckets of the time from a request to its response. */
export const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function requestMetrics(metrics: Metrics, budget: ByteBudget, route: Route): RequestMetrics {
  const duration = metrics.histogram(
    'assay_http_request_duration_seconds',
    'Time from a request to its response',
    REQUEST_SECONDS,
    ['operation', 'status'],
  );
  const inFlight = metrics.gauge('assay_http_body_bytes', 'Bytes of request bodies in memory');
  const deprecated = metrics.counter(
    'assay_http_deprecated_requests_total',
    'Requests to routes that have a successor',
    ['operation', 'successor'],
  );
  const { successor } = route;
  return {
    observe(operation, status, seconds) {
      duration.observe({ operation, status }, seconds);
      if (successor !== undefined) deprecated.inc({ operation, successor });
      inFlight.set(budget.used);
    },
  };
}
