import type { ResponseOf, CreateMetricRequest, createMetric as route } from '@assay/contracts';
import { newMetric } from '@assay/domain';
import type { OperationContext } from '../shared/operation-context.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/**
 * Creates a metric and its first version, which is deployed. Two metrics may have one name.
 * @throws AppError `VALIDATION_ERROR` when fields do not go together, `CONFLICT` when the project has too many metrics
 */
export function makeCreateMetric(deps: MetricDeps) {
  return async function createMetric(
    { body }: { body: CreateMetricRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const metrics = new MetricRepository(deps, caller.projectId);
    const definition = newMetric(body);
    await metrics.collection.assertQuota('metrics', { is_active: true });
    const { id } = await metrics.create(definition);
    return { inserted: true, metric_id: id };
  };
}
