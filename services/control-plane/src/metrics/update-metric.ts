import type {
  ResponseOf,
  updateMetric as route,
  UpdateMetricByBodyRequest,
  UpdateMetricRequest,
} from '@assay/contracts';
import { changedMetric, type MetricChanges, type MetricDefinition } from '@assay/domain';
import { withinSize } from '../shared/within-size.js';
import { checkChildMetrics } from './check-child-metrics.js';
import { checkCriteria } from './check-criteria.js';
import type { OperationContext } from '../shared/operation-context.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

const MESSAGE = 'Updated';

/**
 * Replaces the given fields. The result becomes a new version of the metric and is deployed.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` if fields contradict each other, `CONFLICT`
 */
export function makeUpdateMetric(deps: MetricDeps) {
  return async function updateMetric(
    { params, body }: { params: { metric_id: string }; body: UpdateMetricRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    return update(deps, caller.projectId, params.metric_id, body);
  };
}

/** As {@link makeUpdateMetric}, with the metric's id in the body. */
export function makeUpdateMetricByBody(deps: MetricDeps) {
  return async function updateMetricByBody(
    { body: { id, ...changes } }: { body: UpdateMetricByBodyRequest },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    return update(deps, caller.projectId, id, changes);
  };
}

async function update(
  deps: MetricDeps,
  projectId: string,
  id: string,
  changes: MetricChanges,
): Promise<ResponseOf<typeof route>> {
  const contentOf = (metric: MetricDefinition) =>
    withinSize('metric', changedMetric(metric, changes), metric);
  const metrics = new MetricRepository(deps, projectId);
  const before = await metrics.getExisting(id);
  const definition = contentOf(before);
  await checkCriteria(deps, { projectId, definition, before });
  await checkChildMetrics(metrics, { definition, id });
  await metrics.addVersion(id, { contentOf, message: MESSAGE, deploy: true });
  const warnings = (await deps.modelWarnings(projectId))(definition);
  return { updated: true, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}
