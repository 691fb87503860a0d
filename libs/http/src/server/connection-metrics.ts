import type { Metrics } from '@assay/runtime';
import { CONNECTION_STATES, type ClosedReason, type ConnectionState } from './connections.js';

/** Metrics of the connections of one server. */
export interface ConnectionMetrics {
  readonly closed: (reason: ClosedReason) => void;
  /** Reads the counts at each scrape. */
  observe(counts: () => Record<ConnectionState, number>): void;
}

export function connectionMetrics(metrics: Metrics): ConnectionMetrics {
  const closed = metrics.counter(
    'assay_http_connections_closed_total',
    'Connections that were refused or closed because of a limit',
    ['reason'],
  );
  return {
    closed: (reason) => closed.inc({ reason }),
    observe: (counts) => {
      metrics.gauge('assay_http_connections', 'Open connections of the API by state', ['state'], (gauge) => {
        const current = counts();
        for (const state of CONNECTION_STATES) gauge.set({ state }, current[state]);
      });
    },
  };
}
