import type { MetricResponse } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { toMetricResponse } from './metric-document.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/** Returns a metric. @throws AppError `NOT_FOUND`, also for a deleted metric */
export function makeGetMetric(deps: MetricDeps) {
  return async function getMetric(
    { params }: { params: { metric_id: string } },
    { caller }: OperationContext,
  ): Promise<MetricResponse> {
    const { projectId } = caller;
    const metric = await new MetricRepository(deps, projectId).getExisting(params.metric_id);
    return toMetricResponse(metric, (await deps.modelWarnings(projectId))(metric));
  };
}
