import type { UpdateMetricByBodyRequest, UpdateMetricRequest } from '@assay/contracts';
import { changedMetric, type MetricDefinition } from '@assay/domain';
import type { OperationContext } from '../shared/operation-context.js';
import { type MetricDeps, MetricRepository } from './metric-repository.js';

const MESSAGE = 'Updated';

/**
 * Replaces the fields that are given; the metric as it is then becomes a version, which is deployed.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` when fields do not go together, `CONFLICT`
 */
export function makeUpdateMetric(deps: MetricDeps) {
  return async function updateMetric(
    { params, body }: { params: { metric_id: string }; body: UpdateMetricRequest },
    { caller }: OperationContext,
  ): Promise<{ updated: true }> {
    return update(deps, caller.projectId, params.metric_id, body);
  };
}

/** As {@link makeUpdateMetric}, of the metric that the body names. */
export function makeUpdateMetricByBody(deps: MetricDeps) {
  return async function updateMetricByBody(
    { body: { id, ...changes } }: { body: UpdateMetricByBodyRequest },
    { caller }: OperationContext,
  ): Promise<{ updated: true }> {
    return update(deps, caller.projectId, id, changes);
  };
}

async function update(
  deps: MetricDeps,
  projectId: string,
  id: string,
  changes: Partial<MetricDefinition>,
): Promise<{ updated: true }> {
  await new MetricRepository(deps, projectId).addVersion(
    id,
    (metric) => changedMetric(metric, changes),
    MESSAGE,
    true,
  );
  return { updated: true };
}
