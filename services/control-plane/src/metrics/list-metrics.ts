import type { ResponseOf, ListMetricsQuery, listMetrics as route } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { toMetricResponse, type Metric } from './metric-document.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/** Lists the metrics of the project, newest first, filtered by type and id. An unknown id yields none. */
export function makeListMetrics(deps: MetricDeps) {
  return async function listMetrics(
    { query }: { query: ListMetricsQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const metrics = await matching(new MetricRepository(deps, caller.projectId), query);
    return { metrics: metrics.map(toMetricResponse) };
  };
}

async function matching({ collection }: MetricRepository, { id, type }: ListMetricsQuery): Promise<Metric[]> {
  if (id === undefined) {
    return collection.all({
      equals: { is_active: true, ...(type && { type }) },
      orderBy: 'created_at',
      descending: true,
    });
  }
  const metric = await collection.get(id);
  return metric?.is_active && (type === undefined || metric.type === type) ? [metric] : [];
}
