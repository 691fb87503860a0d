import type { listMetrics, MetricResponse, ResponseOf } from '@assay/contracts';
import { PEOPLE_TYPES } from '@assay/domain/browser';
import { call } from './call.js';

export type Metric = MetricResponse;

/** The metrics by which people score. */
export async function metricsOfPeople(
  project: string,
  signal?: AbortSignal,
): Promise<ResponseOf<typeof listMetrics>> {
  const lists = await Promise.all(
    PEOPLE_TYPES.map((type) =>
      call<ResponseOf<typeof listMetrics>>({
        ...{ method: 'GET', path: '/v1/metrics', project, signal, query: { type } },
      }),
    ),
  );
  return { metrics: lists.flatMap(({ metrics }) => metrics) };
}
