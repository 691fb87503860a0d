import { PEOPLE_TYPES, traitsOf } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { MetricDeps } from '../metrics/metric-repository.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';

/**
 * Returns the ids of the metrics by which people score the events of a queue, each once.
 * @throws AppError `VALIDATION_ERROR`, as in `metric_ids[1]`, for one that the project does not have, or that people do not score
 */
export async function checkQueueMetrics(
  { metrics }: Pick<MetricDeps, 'metrics'>,
  projectId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const found = await new ProjectScopedCollection(metrics, projectId).getAll(ids);
  const ofPeople = found.filter((metric) => metric.is_active && !traitsOf(metric).isEvaluated);
  const usable = new Set(ofPeople.map(({ id }) => id));
  const wrong = ids.findIndex((id) => !usable.has(id));
  if (wrong !== -1)
    throw validationError(
      `metric_ids[${wrong}] must be the id of a metric of type ${PEOPLE_TYPES.join(' or ')}`,
    );
  return [...new Set(ids)];
}
