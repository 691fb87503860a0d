import { Type, type Static } from '@sinclair/typebox';
import {
  DIRECTIONS,
  METRIC_TYPES,
  RETURN_TYPES,
  type Direction,
  type MetricType,
  type ReturnType,
} from '@assay/domain';
import { choice, flag, text, textOrNull } from '../../schema/fields.js';
import {
  createdAt,
  limitedTextOrNull,
  MAX_NAME_LENGTH,
  numberIn,
  resourceId,
  resourceName,
} from '../../schema/resource-fields.js';
import { filterList } from './filter-list.js';
import { categories, childMetrics, threshold } from './metric-parts.js';

export const metricId = () => resourceId('Id of the metric.');
export const metricPath = Type.Object({ metric_id: metricId() });

export const metricName = () =>
  resourceName('Name of the metric; its scores stand on events under this name.', 'accuracy');
export const metricType = () =>
  choice<MetricType>(
    METRIC_TYPES,
    'What judges: Python code, a model, a person, or other metrics together.',
    'PYTHON',
  );
export const criteria = () =>
  text(
    'Python code, prompt template, instruction for people, or how other metrics are put together.',
    'def accuracy(event): return 1.0',
    {
      minLength: 1,
    },
  );

const scale = () =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    minimum: 1,
    description: 'Highest score that can be given.',
    examples: [5],
  });
const description = () => textOrNull('What the metric measures.', 'Share of right answers');
const modelProvider = () =>
  limitedTextOrNull('Provider of the model; null: the default of the deployment.', 'openai', {
    maxLength: MAX_NAME_LENGTH,
  });
const modelName = () =>
  limitedTextOrNull('Name of the model; null: the default of the deployment.', 'gpt-4o', {
    maxLength: MAX_NAME_LENGTH,
  });

const plainProperties = {
  return_type: choice<ReturnType>(RETURN_TYPES, 'Kind of the scores.', 'float'),
  direction: choice<Direction>(DIRECTIONS, 'Which scores are better, for comparisons.', 'higher'),
  enabled_in_prod: flag('Whether new events are judged as they arrive.', false),
  needs_ground_truth: flag('Whether the metric can only judge events that have a ground truth.', false),
  sampling_percentage: numberIn('Percent of the new events that are judged.', 10, {
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
  scale: Type.Optional(scale()),
  threshold: Type.Optional(threshold(nullable === 'nullable parts')),
  categories: Type.Optional(categories(nullable === 'nullable parts')),
  child_metrics: Type.Optional(childMetrics(nullable === 'nullable parts')),
  filters: Type.Optional(filterList('Which events are judged; all filters must match.')),
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
  scale: scale(),
  threshold: threshold(true),
  categories: categories(true),
  child_metrics: childMetrics(true),
  filters: filterList('Which events are judged; all filters must match.'),
};

export const metricResponse = Type.Object(
  {
    id: metricId(),
    ...definitionProperties,
    created_at: createdAt(),
    updated_at: textOrNull('When it was last changed, ISO 8601.', '2026-11-01T00:00:00.000Z'),
  },
  { $id: 'Metric', description: 'A metric: what judges events and gives them scores.' },
);
export type MetricResponse = Static<typeof metricResponse>;
