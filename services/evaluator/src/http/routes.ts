import type { EventStore } from '@assay/event-store';
import type { Binding } from '@assay/http';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import type { EvaluateMetricDeps } from '../judging/evaluate-metric.js';

/** Dependencies of the evaluator's operations. */
export interface EvaluatorDeps extends EvaluateMetricDeps {
  readonly store: EventStore;
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Returns the routes that the evaluator serves. */
export function evaluatorRoutes(_deps: EvaluatorDeps): Binding[] {
  return [];
}
