import type { ResponseOf, ListMetricsQuery, listMetrics as route } from '@assay/contracts';
import { mapPages, streamJson, type JsonStream } from '@assay/http';
import type { OperationContext } from '../shared/operation-context.js';
import { toMetricResponse, type Metric } from './metric-document.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/** Lists the metrics of the project, newest first, filtered by type and id. An unknown id yields none. */
export function makeListMetrics(deps: MetricDeps) {
  return function listMetrics(
    { query }: { query: ListMetricsQuery },
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const pages = matching(new MetricRepository(deps, caller.projectId), query);
    return Promise.resolve(
      streamJson<ResponseOf<typeof route>>({ metrics: mapPages(pages, toMetricResponse) }),
    );
  };
}

async function* matching(
  { collection }: MetricRepository,
  { id, type }: ListMetricsQuery,
): AsyncGenerator<readonly Metric[]> {
  if (id === undefined) {
    const equals = { is_active: true, ...(type && { type }) };
    yield* collection.allPages({ equals, orderBy: 'created_at', descending: true });
    return;
  }
  const metric = await collection.get(id);
  if (metric?.is_active && (type === undefined || metric.type === type)) yield [metric];
}
