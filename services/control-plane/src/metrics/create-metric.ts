import type { ResponseOf, CreateMetricRequest, createMetric as route } from '@assay/contracts';
import { newMetric } from '@assay/domain';
import { withinSize } from '../shared/within-size.js';
import { checkChildMetrics } from './check-child-metrics.js';
import { checkCriteria } from './check-criteria.js';
import type { OperationContext } from '../shared/operation-context.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

/**
 * Creates a metric and deploys its first version. Names are not unique.
 * @throws AppError `VALIDATION_ERROR` if fields contradict each other or the criteria are not valid, `CONFLICT` if the project has the
 * maximum number of metrics
 */
export function makeCreateMetric(deps: MetricDeps) {
  return async function createMetric(
    { body }: { body: CreateMetricRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const metrics = new MetricRepository(deps, caller.projectId);
    const definition = withinSize('metric', newMetric(body));
    await checkCriteria(deps, { projectId: caller.projectId, definition });
    await checkChildMetrics(metrics, { definition });
    await metrics.collection.assertQuota('metrics', { is_active: true });
    const { id } = await metrics.create(definition);
    const warnings = (await deps.modelWarnings(caller.projectId))(definition);
    return { inserted: true, metric_id: id, ...(warnings.length > 0 && { warnings: [...warnings] }) };
  };
}
