import type {
  ExpectedVersion,
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

interface UpdateRequest {
  readonly params: { readonly metric_id: string };
  readonly query: ExpectedVersion;
  readonly body: UpdateMetricRequest;
}

interface UpdateByBodyRequest {
  readonly query: ExpectedVersion;
  readonly body: UpdateMetricByBodyRequest;
}

/** A metric, and the version that the caller knows as deployed. */
interface Addressed {
  readonly projectId: string;
  readonly id: string;
  readonly expected: string | undefined;
}

/**
 * Replaces the given fields. The result becomes a new version of the metric and is deployed.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` if fields contradict each other, `CONFLICT`
 */
export function makeUpdateMetric(deps: MetricDeps) {
  return async function updateMetric(
    { params, query, body }: UpdateRequest,
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const { expected_version: expected } = query;
    return update(deps, { projectId: caller.projectId, id: params.metric_id, expected }, body);
  };
}

/** As {@link makeUpdateMetric}, with the metric's id in the body. */
export function makeUpdateMetricByBody(deps: MetricDeps) {
  return async function updateMetricByBody(
    { query, body: { id, ...changes } }: UpdateByBodyRequest,
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const { expected_version: expected } = query;
    return update(deps, { projectId: caller.projectId, id, expected }, changes);
  };
}

async function update(
  deps: MetricDeps,
  { projectId, id, expected }: Addressed,
  changes: MetricChanges,
): Promise<ResponseOf<typeof route>> {
  const contentOf = (metric: MetricDefinition) =>
    withinSize('metric', changedMetric(metric, changes), metric);
  const metrics = new MetricRepository(deps, projectId);
  const before = await metrics.getExisting(id);
  const definition = contentOf(before);
  await checkCriteria(deps, { projectId, definition, before });
  await checkChildMetrics(metrics, { definition, id });
  await metrics.addVersion(id, { contentOf, message: MESSAGE, deploy: true, expected });
  const warnings = (await deps.modelWarnings(projectId))(definition);
  return { updated: true, ...(warnings.length > 0 && { warnings: [...warnings] }) };
}
