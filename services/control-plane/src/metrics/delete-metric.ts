import { notFound } from '@assay/errors';
import type { OperationContext } from '../shared/operation-context.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/** Deletes a metric: it judges no more, and the scores that it has given stay. @throws AppError `NOT_FOUND` */
export function makeDeleteMetric(deps: MetricDeps) {
  return async function deleteMetric(
    { params }: { params: { metric_id: string } },
    { caller }: OperationContext,
  ): Promise<{ deleted: true }> {
    return deleted(deps, caller.projectId, params.metric_id);
  };
}

/** As {@link makeDeleteMetric}, of the metric that the query names. */
export function makeDeleteMetricByQuery(deps: MetricDeps) {
  return async function deleteMetricByQuery(
    { query }: { query: { metric_id: string } },
    { caller }: OperationContext,
  ): Promise<{ deleted: true }> {
    return deleted(deps, caller.projectId, query.metric_id);
  };
}

async function deleted(deps: MetricDeps, projectId: string, id: string): Promise<{ deleted: true }> {
  const ended = await new MetricRepository(deps, projectId).collection.change(id, (metric) => {
    if (!metric.is_active) throw notFound('metric not found');
    return { ...metric, is_active: false, updated_at: deps.now().toISOString() };
  });
  if (!ended) throw notFound('metric not found');
  return { deleted: true };
}
