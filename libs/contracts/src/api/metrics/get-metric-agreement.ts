import { Type } from '@sinclair/typebox';
import type { KappaWeights } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, flag, integer, text, textList } from '../../schema/fields.js';
import { dateRange } from '../events/date-range.js';
import { agreementProperties } from './agreement.js';
import { metricId, metricName, metricPath } from './metric.js';

const namedMetric = (description: string) =>
  Type.Object({ id: metricId(), name: metricName() }, { description });

export const getMetricAgreement = defineRoute({
  operation: 'getMetricAgreement',
  permissions: ['events:read'],
  method: 'GET',
  path: '/v1/metrics/{metric_id}/agreement',
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'Compare the scores of a metric with those of people',
  params: metricPath,
  query: Type.Object({
    with: text('Id or name of a metric of type HUMAN.', 'tone', { minLength: 1, maxLength: 200 }),
    dateRange: Type.Optional(dateRange),
    weights: Type.Optional(
      choice<KappaWeights>(
        ['none', 'linear', 'quadratic'],
        "How the distance of labels in an order counts in Cohen's kappa; none when absent.",
        'none',
      ),
    ),
  }),
  response: Type.Object({
    metric: namedMetric('The metric.'),
    with: namedMetric('The metric whose scores count as correct.'),
    ...agreementProperties,
    labels: textList('Labels of the rows and columns; empty for more than 100 labels.', ['false', 'true']),
    confusion_matrix: Type.Array(Type.Array(integer('Number of events.', 4)), {
      description: 'Events by the label of people (row) and of the metric (column).',
      examples: [
        [
          [2, 1],
          [1, 4],
        ],
      ],
    }),
    complete: flag('False when more events have both scores: the newest 5,000 count.', true),
  }),
});
