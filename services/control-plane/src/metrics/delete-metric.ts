import type { OperationContext } from '../shared/operation-context.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/** Deletes a metric. Its existing scores remain. @throws AppError `NOT_FOUND`, `CONFLICT` */
export function makeDeleteMetric(deps: MetricDeps) {
  return async function deleteMetric(
    { params }: { params: { metric_id: string } },
    { caller }: OperationContext,
  ): Promise<{ deleted: true }> {
    return deactivate(deps, caller.projectId, params.metric_id);
  };
}

/** As {@link makeDeleteMetric}, with the metric's id in the query. */
export function makeDeleteMetricByQuery(deps: MetricDeps) {
  return async function deleteMetricByQuery(
    { query }: { query: { metric_id: string } },
    { caller }: OperationContext,
  ): Promise<{ deleted: true }> {
    return deactivate(deps, caller.projectId, query.metric_id);
  };
}

async function deactivate(deps: MetricDeps, projectId: string, id: string): Promise<{ deleted: true }> {
  await new MetricRepository(deps, projectId).update(id, (metric) => ({
    ...metric,
    is_active: false,
    updated_at: deps.now().toISOString(),
  }));
  return { deleted: true };
}
