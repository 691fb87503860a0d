import { Type, type Static } from '@sinclair/typebox';
import { RETURN_TYPES, type ReturnType } from '@assay/domain';
import { defineRoute } from '../route.js';
import { choice, flag, text } from '../schema/fields.js';
import { numberIn } from '../schema/resource-fields.js';
import { BODY_BYTES, orNull, queueEventName, readonlyList, textItems } from './fields.js';

const annotationQuery = Type.Object({
  ...queueEventName,
  names: textItems('Names of the metrics.', ['tone']),
  withOthers: Type.Optional(
    flag(
      'Whether metrics of these names that people do not score are listed, when they are names of explanations.',
      true,
    ),
  ),
});
export type AnnotationQuery = Readonly<Static<typeof annotationQuery>>;

const category = Type.Object(
  {
    category: text('Name of the category.', 'good'),
    score: orNull(numberIn('Score that the category stands for.', 1)),
  },
  { description: 'A category.' },
);

/** Which scores a metric accepts. */
const scoreRule = Type.Object(
  {
    name: text('Name of the metric.', 'tone'),
    return_type: choice<ReturnType>(RETURN_TYPES, 'Type of the scores.', 'float'),
    scale: orNull(numberIn('Highest score; null for any number.', 5)),
    categories: orNull(
      Type.Array(category, {
        description: 'Accepted categories; null for any text.',
        examples: [[{ category: 'good', score: 1 }]],
      }),
    ),
    by_people: Type.Optional(flag('False for a metric that people do not score; absent: they do.', false)),
  },
  { description: 'Which scores the metric accepts.' },
);

export const listAnnotationMetrics = defineRoute({
  operation: 'listAnnotationMetrics',
  method: 'POST',
  path: '/internal/v1/queues/metrics',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'List the metrics of these names by which people score an event of a queue',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: annotationQuery,
  response: Type.Object({
    metrics: orNull(readonlyList(scoreRule, 'The metrics; null when the event is not in the queue.', [])),
  }),
});
