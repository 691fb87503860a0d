import { Type, type Static } from '@sinclair/typebox';
import {
  DIRECTIONS,
  EVALUATED_TYPES,
  METRIC_TYPES,
  RETURN_TYPES,
  type Direction,
  type EvaluatedType,
  type MetricType,
  type ReturnType,
} from '@assay/domain';
import { choice, flag, text, textList, textOrNull } from '../../schema/fields.js';
import {
  createdAt,
  limitedTextOrNull,
  MAX_NAME_LENGTH,
  numberIn,
  resourceId,
  resourceName,
  storedWarnings,
} from '../../schema/resource-fields.js';
import { filterList } from './filter-list.js';
import { categories, childMetrics, threshold } from './metric-parts.js';
import { modelParameters, sentModelParameters } from './model-parameters.js';

export const metricId = () => resourceId('Id of the metric.');
export const metricPath = Type.Object({ metric_id: metricId() });

export const metricName = () =>
  resourceName('Name of the metric; the key of its scores on events.', 'accuracy');
/** The first type, whose criteria the example of {@link criteria} is. */
export const exampleType = EVALUATED_TYPES[0] as EvaluatedType;

export const metricType = () =>
  choice<MetricType>(
    METRIC_TYPES,
    'Evaluator type: Python code, LLM judge, human annotator, or composite.',
    exampleType,
  );
/** Of a process that knows the models: the single process. */
export const evaluationWarnings = () =>
  Type.Optional(
    textList('Why events cannot be evaluated by the metric at present; absent without any.', [
      'no endpoint is configured for model_provider',
    ]),
  );
export const criteria = () =>
  text(
    'Python code, prompt template, instruction for annotators, or aggregation of other metrics.',
    'def accuracy(event): return 1.0',
    {
      minLength: 1,
    },
  );

const scale = () =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    description: 'Highest possible score.',
    examples: [5],
  });
const description = () => textOrNull('Description of the metric.', 'Share of correct answers');
const modelProvider = () =>
  limitedTextOrNull('Provider of the model; null: the default of the deployment.', 'openai', {
    maxLength: MAX_NAME_LENGTH,
  });
const modelName = () =>
  limitedTextOrNull('Name of the model; null: the default of the deployment.', 'gpt-4o', {
    maxLength: MAX_NAME_LENGTH,
  });

const sentAddInstructions = () =>
  Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description:
      'Whether the judge sends instructions on the form of the reply before the criteria; null or absent: only if the criteria do not mention double brackets.',
    examples: [true],
  });

const plainProperties = {
  return_type: choice<ReturnType>(RETURN_TYPES, 'Type of the scores.', 'float'),
  direction: choice<Direction>(DIRECTIONS, 'Direction of better scores, for comparisons.', 'higher'),
  enabled_in_prod: flag('Whether new events are evaluated on arrival.', false),
  needs_ground_truth: flag('Whether the metric requires a ground truth.', false),
  sampling_percentage: numberIn('Percentage of new events to evaluate.', 10, {
    minimum: 0,
    maximum: 100,
  }),
};

/** Optional fields of a metric definition in a request: all but name, type and criteria. */
export const sentMetricProperties = (nullable: 'nullable parts' | 'parts') => ({
  description: Type.Optional(description()),
  ...Type.Partial(Type.Object(plainProperties)).properties,
  model_provider: Type.Optional(modelProvider()),
  model_name: Type.Optional(modelName()),
  model_parameters: Type.Optional(sentModelParameters()),
  add_instructions: Type.Optional(sentAddInstructions()),
  scale: Type.Optional(scale()),
  threshold: Type.Optional(threshold(nullable === 'nullable parts')),
  categories: Type.Optional(categories(nullable === 'nullable parts')),
  child_metrics: Type.Optional(childMetrics(nullable === 'nullable parts')),
  filters: Type.Optional(filterList('Events to evaluate; all filters must match.')),
});

/** Complete metric definition. */
export const definitionProperties = {
  name: metricName(),
  type: metricType(),
  criteria: criteria(),
  description: description(),
  ...plainProperties,
  model_provider: modelProvider(),
  model_name: modelName(),
  model_parameters: Type.Optional(modelParameters()),
  add_instructions: Type.Optional(
    flag('Whether the judge sends instructions on the form of the reply; absent when it does not.', true),
  ),
  scale: scale(),
  threshold: threshold(true),
  categories: categories(true),
  child_metrics: childMetrics(true),
  filters: filterList('Events to evaluate; all filters must match.'),
};

export const metricResponse = Type.Object(
  {
    id: metricId(),
    ...definitionProperties,
    created_at: createdAt(),
    updated_at: textOrNull('Time of the last change, ISO 8601.', '2026-11-01T00:00:00.000Z'),
    warnings: storedWarnings(),
  },
  { $id: 'Metric', description: 'A metric (evaluator): assigns scores to events.' },
);
export type MetricResponse = Static<typeof metricResponse>;
