import { Type, type Static } from '@sinclair/typebox';
import { EVALUATED_TYPES, type EvaluatedType } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { anyJson, choice, flag, openObject, success, text, textOrNull } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import { criteria, exampleType, metricName, sentMetricProperties } from './metric.js';

/** An event of the maximum size and a metric. */
const MAX_BODY_BYTES = 12 * 1024 * 1024;

const objects = {
  inputs: openObject('Inputs of the event.', { question: 'What is 2 + 2?' }),
  outputs: anyJson('Outputs of the event.', { content: '4' }),
  feedback: openObject('Feedback on the event.', { ground_truth: '4' }),
  metadata: openObject('Metadata of the event.', {}),
  metrics: openObject('Scores of the event.', {}),
  config: openObject('Configuration of the event.', {}),
  user_properties: openObject('Properties of the user.', {}),
};

/** A metric that a process evaluates, as it would be created. */
export const runnableMetric = () =>
  Type.Object(
    {
      name: metricName(),
      type: choice<EvaluatedType>(
        EVALUATED_TYPES,
        'Evaluator type: Python code, LLM judge or composite.',
        exampleType,
      ),
      criteria: criteria(),
      ...sentMetricProperties('nullable parts'),
    },
    { description: 'The metric, as it would be created.' },
  );

const runMetricRequest = Type.Object(
  {
    metric: runnableMetric(),
    event: Type.Object(
      orNull({
        event_type: Type.Optional(text('Type of the event.', 'model')),
        event_name: Type.Optional(text('Name of the event.', 'answer')),
        ...Type.Partial(Type.Object(objects)).properties,
      }),
      {
        description:
          'The event to evaluate. Other fields are visible to the metric; null is the same as an absent field.',
        examples: [{}],
      },
    ),
  },
  {
    $id: 'RunMetricRequest',
    description: 'A metric and the event that it evaluates.',
    additionalProperties: false,
  },
);
export type RunMetricRequest = Static<typeof runMetricRequest>;

const running = {
  method: 'POST',
  owner: 'evaluator',
  access: 'project',
  console: true,
  tag: 'Metrics',
  limits: { maxBodyBytes: MAX_BODY_BYTES },
  body: runMetricRequest,
  response: Type.Object({
    success: success(),
    loading: flag('Always false: the evaluation is complete.', false),
    result: anyJson('The score; null when a composite has no score of a child.', 1),
    explanation: textOrNull('Explanation of the score; null without one.', null),
  }),
} as const;

export const runMetric = defineRoute({
  ...running,
  operation: 'runMetric',
  path: '/v1/metrics/run',
  aliases: ['/metrics/run'],
  summary: 'Evaluate an event by a metric; neither is stored',
});

export const runMetricByOldPath = defineRoute({
  ...running,
  operation: 'runMetricByOldPath',
  path: '/v1/metrics/run_metric',
  aliases: ['/metrics/run_metric'],
  summary: 'Evaluate an event by a metric; neither is stored',
  successor: 'runMetric',
});
