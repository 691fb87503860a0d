import { METRIC_TYPES, isCombinable, traitsOf, type ChildMetric, type MetricDefinition } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Metric } from './metric-document.js';
import type { MetricRepository } from './metric-repository.js';

/** The definition to check, and where it comes from. */
export interface CheckedDefinition {
  readonly definition: MetricDefinition;
  /** Id of the metric; absent for a new one. */
  readonly id?: string;
  /** Precedes the names of fields in errors, such as `content.`. */
  readonly path?: string;
}

/**
 * Checks that a composite metric combines only metrics with numbers, booleans or categories as scores, and no
 * composite, itself included. A child is found by its id or else by its name; one that does not exist yet is
 * accepted. Of several metrics of a name, one must fit.
 * @throws AppError `VALIDATION_ERROR`, as in `child_metrics[0]`
 */
export async function checkChildMetrics(
  metrics: MetricRepository,
  { definition, id: ownId, path = '' }: CheckedDefinition,
): Promise<void> {
  const { child_metrics } = definition;
  if (!traitsOf(definition).hasChildren || child_metrics === null) return;
  const known = await metricsOf(metrics, child_metrics);
  const isUnfit = (metric: Metric) => metric.id === ownId || !isCombinable(metric);
  child_metrics.forEach((child, index) => {
    const found = metricsFor(child, known);
    if (found.length > 0 && found.every(isUnfit))
      throw validationError(
        `${path}child_metrics[${index}] must not be a composite metric or one of return type string`,
      );
  });
}

function metricsFor({ id, name }: ChildMetric, known: readonly Metric[]): Metric[] {
  const byId = known.filter((metric) => metric.id === id);
  return byId.length > 0 ? byId : known.filter((metric) => metric.name === name);
}

/** Returns the metrics that children may mean, at most 1,000 of each type by name. */
async function metricsOf(metrics: MetricRepository, children: readonly ChildMetric[]): Promise<Metric[]> {
  const byId = await metrics.collection.getAll(children.flatMap(({ id }) => id ?? []));
  const names = [...new Set(children.map(({ name }) => name))];
  const byName = await Promise.all(METRIC_TYPES.map((type) => metrics.named(type, names)));
  return [...byId.filter(({ is_active }) => is_active), ...byName.flat()];
}
