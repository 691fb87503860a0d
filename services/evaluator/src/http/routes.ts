import { runMetric, runMetricByOldPath, tryMetric } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import { makeRunMetric, type RunMetricDeps } from '../metrics/run-metric.js';
import { makeTryMetric, type TryMetricDeps } from '../metrics/try-metric.js';

/** Dependencies of the evaluator's operations. */
export type EvaluatorDeps = RunMetricDeps & TryMetricDeps;

/** Returns the routes that the evaluator serves. */
export function evaluatorRoutes(deps: EvaluatorDeps): Binding[] {
  const run = makeRunMetric(deps);
  return [bind(runMetric, run), bind(runMetricByOldPath, run), bind(tryMetric, makeTryMetric(deps))];
}
