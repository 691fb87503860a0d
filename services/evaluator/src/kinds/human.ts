import { validationError } from '@assay/errors';
import type { MetricKind } from './metric-kind.js';
import { PYTHON_POOL } from './python.js';
import { failed } from './results.js';

const BY_PEOPLE = 'the metric is scored by people';

/** Metrics that people score. They have no evaluations but those that a change of the type has left. */
export const human: MetricKind = {
  type: 'HUMAN',
  check: () => {
    throw validationError(`metric.type must be another one: ${BY_PEOPLE}`);
  },
  pool: () => ({ pool: PYTHON_POOL }),
  evaluate: () => Promise.resolve({ result: failed('execution_error', BY_PEOPLE), trace: {} }),
};
