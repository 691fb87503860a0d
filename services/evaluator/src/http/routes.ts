import { runMetric, runMetricByOldPath } from '@assay/contracts';
import type { EventStore } from '@assay/event-store';
import { bind, type Binding } from '@assay/http';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import type { EvaluateMetricDeps } from '../judging/evaluate-metric.js';
import { makeRunMetric } from '../metrics/run-metric.js';

/** Dependencies of the evaluator's operations. */
export interface EvaluatorDeps extends EvaluateMetricDeps {
  readonly store: EventStore;
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Returns the routes that the evaluator serves. */
export function evaluatorRoutes(deps: EvaluatorDeps): Binding[] {
  const run = makeRunMetric(deps);
  return [bind(runMetric, run), bind(runMetricByOldPath, run)];
}
