import { Type, type TSchema, type Static } from '@sinclair/typebox';
import { text } from '../../schema/fields.js';
import { MAX_NAME_LENGTH, numberIn, resourceId, resourceName } from '../../schema/resource-fields.js';

const MAX_PARTS = 1_000;

/** Returns the schema, extended by null if `nullable`. */
function orNull<T extends TSchema>(schema: T, nullable: boolean) {
  return Type.Unsafe<Static<T> | null>(
    nullable ? { ...schema, type: [String(schema.type), 'null'] } : schema,
  );
}

const thresholdSchema = Type.Object(
  {
    min: Type.Optional(numberIn('Lowest score that passes.', 0.5)),
    max: Type.Optional(numberIn('Highest score that passes.', 1)),
    pass_when: Type.Optional(
      Type.Unsafe<boolean | number>({
        type: ['boolean', 'number'],
        description: 'The score that passes.',
        examples: [true],
      }),
    ),
    passing_categories: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_NAME_LENGTH }), {
        description: 'Categories that pass.',
        examples: [['good']],
        minItems: 1,
        maxItems: MAX_PARTS,
      }),
    ),
  },
  {
    description: 'Pass condition; without bounds every score passes.',
    examples: [{ min: 0.5 }],
    additionalProperties: false,
  },
);
export const threshold = (nullable: boolean) => orNull(thresholdSchema, nullable);

const category = Type.Object({
  category: text('Name of the category.', 'good', { maxLength: MAX_NAME_LENGTH }),
  score: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'Score of the category.',
    examples: [1],
  }),
});
const categoryList = Type.Array(category, {
  description: 'Categories of a categorical metric.',
  examples: [[{ category: 'good', score: 1 }]],
  minItems: 1,
  maxItems: MAX_PARTS,
});
export const categories = (nullable: boolean) => orNull(categoryList, nullable);

const childMetric = Type.Object({
  id: Type.Optional(resourceId('Id of the metric.')),
  name: resourceName('Name of the metric.', 'accuracy'),
  weight: numberIn('Weight of the child score.', 1),
  scale: Type.Optional(numberIn('Highest score of the metric.', 5)),
});
const childMetricList = Type.Array(childMetric, {
  description: 'Child metrics of a composite metric.',
  examples: [[{ name: 'accuracy', weight: 1 }]],
  minItems: 1,
  maxItems: MAX_PARTS,
});
export const childMetrics = (nullable: boolean) => orNull(childMetricList, nullable);
