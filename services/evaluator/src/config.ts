import {
  bodySettings,
  clickhouseSettings,
  controlPlaneSettings,
  diskSettings,
  flag,
  integer,
  kafkaSettings,
  processSettings,
  text,
} from '@assay/runtime';

/** Switches evaluation off where other services run in the same process. */
export const evaluationSwitch = {
  evaluateEvents: flag('EVALUATE_EVENTS', {
    default: true,
    description:
      'Evaluate events by the metrics of their projects. Without it only people and clients score events',
  }),
} as const;

/** Settings of every process that evaluates events. */
export const evaluationSettings = {
  pythonMetricTimeoutMs: integer('PYTHON_METRIC_TIMEOUT_MS', {
    default: 100,
    min: 1,
    max: 10_000,
    description: 'Time limit of one evaluation by a PYTHON metric, in milliseconds',
  }),
} as const;

/** Settings of the evaluator service. */
export const evaluatorSettings = {
  ...processSettings,
  dataDir: text('ASSAY_DATA_DIR', {
    default: './.assay-evaluator',
    description: 'Folder of the snapshots of keys and metrics',
  }),
  ...diskSettings,
  ...bodySettings,
  ...kafkaSettings,
  ...clickhouseSettings,
  ...controlPlaneSettings,
  ...evaluationSettings,
} as const;
