import type { listMetrics, MetricResponse, ResponseOf } from '@assay/contracts';
import { call } from './call.js';

export type Metric = MetricResponse;

/** The metrics by which people score. */
export const metricsOfPeople = (project: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof listMetrics>>({
    ...{ method: 'GET', path: '/v1/metrics', project, signal, query: { type: 'HUMAN' } },
  });
