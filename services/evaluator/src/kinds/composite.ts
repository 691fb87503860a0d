import { compositeScore, type DeployedMetric, type JsonObject } from '@assay/domain';
import type { CombinedScores, MetricKind } from './metric-kind.js';
import { PYTHON_POOL } from './python.js';
import { failed, scored } from './results.js';

/** Metrics that combine the scores of others on an event. They are computed when an event is decided about, and need no pool. */
export const composite: MetricKind = {
  type: 'COMPOSITE',
  check: () => undefined,
  pool: () => ({ pool: PYTHON_POOL }),
  evaluate: (_deps, { metric, scores }) => {
    const value = scores && combinedScore(metric, scores);
    const result = value === undefined ? failed('no_score', 'no child has a score') : scored(value);
    return Promise.resolve({ result, trace: {} });
  },
};

/** Returns the score of a composite; undefined when no child has one. */
export function combinedScore(
  metric: DeployedMetric,
  { sources, rules }: CombinedScores,
): number | boolean | undefined {
  return compositeScore({ ...metric, is_active: true }, withoutOwn(sources, metric), rules);
}

/** A child with the name of its composite would feed the result back. */
function withoutOwn(sources: readonly JsonObject[], { name }: DeployedMetric): readonly JsonObject[] {
  return sources.map((metrics) =>
    Object.hasOwn(metrics, name)
      ? Object.fromEntries(Object.entries(metrics).filter(([key]) => key !== name))
      : metrics,
  );
}
