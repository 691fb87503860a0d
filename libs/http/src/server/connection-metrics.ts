import type { Metrics } from '@assay/runtime';
import { CONNECTION_STATES, type ClosedReason, type ConnectionState } from './connections.js';

/** Metrics of the connections of one server. */
export interface ConnectionMetrics {
  readonly closed: (reason: ClosedReason) => void;
  /** Reads the counts at each scrape. */
  observe(counts: () => Record<ConnectionState, number>): void;
}

/** Names and help texts of the metrics, by protocol. */
const METRICS = {
  http: {
    closed: 'assay_http_connections_closed_total',
    closedHelp: 'Connections that were refused or closed because of a limit',
    open: 'assay_http_connections',
    openHelp: 'Open connections of the API by state',
  },
  grpc: {
    closed: 'assay_grpc_connections_closed_total',
    closedHelp: 'Connections by gRPC that were refused or closed because of a limit',
    open: 'assay_grpc_connections',
    openHelp: 'Open connections by gRPC by state',
  },
} as const;

export function connectionMetrics(metrics: Metrics, protocol: keyof typeof METRICS): ConnectionMetrics {
  const names = METRICS[protocol];
  const closed = metrics.counter(names.closed, names.closedHelp, ['reason']);
  return {
    closed: (reason) => closed.inc({ reason }),
    observe: (counts) => {
      metrics.gauge(names.open, names.openHelp, ['state'], (gauge) => {
        const current = counts();
        for (const state of CONNECTION_STATES) gauge.set({ state }, current[state]);
      });
    },
  };
}
