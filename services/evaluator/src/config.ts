import { flag, integer } from '@assay/runtime';

/** Settings of every process that evaluates events. */
export const evaluationSettings = {
  evaluateEvents: flag('EVALUATE_EVENTS', {
    default: true,
    description:
      'Evaluate events by the metrics of their projects. Without it only people and clients score events',
  }),
  pythonMetricTimeoutMs: integer('PYTHON_METRIC_TIMEOUT_MS', {
    default: 100,
    min: 1,
    max: 10_000,
    description: 'Time limit of one evaluation by a PYTHON metric, in milliseconds',
  }),
} as const;
