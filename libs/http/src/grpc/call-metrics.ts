import { status } from '@grpc/grpc-js';
import type { Metrics } from '@assay/runtime';
import { REQUEST_SECONDS } from '../routing/request-metrics.js';
import type { ByteBudget } from '../scheduling/byte-budget.js';

/** Counts responses to calls by operation and status. */
export interface CallMetrics {
  /** @param code number of `grpc-status` */
  observe(operation: string, code: number, seconds: number): void;
}

export function callMetrics(metrics: Metrics, budget: ByteBudget): CallMetrics {
  const duration = metrics.histogram(
    'assay_grpc_request_duration_seconds',
    'Time from a call by gRPC to its response',
    REQUEST_SECONDS,
    ['operation', 'code'],
  );
  const inFlight = metrics.gauge('assay_http_body_bytes', 'Bytes of request bodies in memory');
  return {
    observe(operation, code, seconds) {
      duration.observe({ operation, code: status[code] }, seconds);
      inFlight.set(budget.used);
    },
  };
}
