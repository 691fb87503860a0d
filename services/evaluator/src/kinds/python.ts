import { checkSourceSize } from '@assay/domain';
import type { PythonOutcome } from '@assay/python-runner';
import type { EvaluationOutcome, MetricKind } from './metric-kind.js';
import { failed, scored, visibleEvent } from './results.js';

/** The pool of the Python runner, and of evaluations that only have to be closed. */
export const PYTHON_POOL = 'python';

/** Metrics whose criteria are source code. */
export const python: MetricKind = {
  type: 'PYTHON',
  check: (metric) => checkSourceSize(metric, 'metric.'),
  pool: () => ({ pool: PYTHON_POOL }),
  evaluate: async ({ python: runner, pythonTimeoutMs: timeoutMs }, { metric, event }, signal) => {
    const { name: metricName, criteria: source, return_type: returnType } = metric;
    const categories = metric.categories?.map(({ category }) => category);
    const call = { projectId: event.project_id, source, metricName, returnType, timeoutMs };
    const outcome = await runner.evaluate(
      { ...call, event: visibleEvent(event), ...(categories && { categories }) },
      signal,
    );
    return ofPython(outcome, runner.state.available);
  },
};

function ofPython(outcome: PythonOutcome, isAvailable: boolean): EvaluationOutcome {
  const { durationMs, stdout } = outcome;
  if (outcome.ok) {
    const { value, explanation = '' } = outcome;
    return { result: scored(value, { explanation, durationMs }), trace: { stdout } };
  }
  const { code, message, line } = outcome.error;
  const reason = line === undefined ? message : `line ${line}: ${message}`;
  const trace = { stdout, ...(line !== undefined && { line }) };
  const result = { ...failed(code, reason), durationMs };
  if (code === 'timeout') return { result: { ...result, decision: 'timeout' }, trace };
  const isPostponed = code === 'machine_busy' || (code === 'unavailable' && isAvailable);
  return { result, trace, isPostponed };
}
