import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, integer, listOf, text } from '../../schema/fields.js';
import { agreementProperties, kappa } from '../metrics/agreement.js';
import { metricName } from '../metrics/metric.js';
import { queuePath } from './queue.js';
import { queueCounts } from './queue-event.js';

const annotatorName = () => text('Who has scored.', 'anna');

const annotatorPair = Type.Object(
  {
    annotators: Type.Array(annotatorName(), {
      description: 'The two annotators.',
      examples: [['anna', 'bert']],
    }),
    ...agreementProperties,
  },
  { description: 'Agreement of two annotators.' },
);

const metricStatistics = Type.Object(
  {
    metric: metricName(),
    annotators: listOf(
      Type.Object(
        { annotator: annotatorName(), events: integer('Events that the annotator has scored.', 30) },
        { description: 'An annotator.' },
      ),
      'Annotators, those with most events first; at most 10.',
    ),
    events: integer('Events that at least two annotators have scored.', 12),
    fleiss_kappa: kappa("Fleiss' kappa of all annotators; null without such events."),
    pairs: listOf(annotatorPair, 'Agreement of each two of these annotators who have events in common.'),
  },
  { $id: 'QueueMetricStatistics', description: 'Agreement of annotators on a metric.' },
);
export type QueueMetricStatistics = Static<typeof metricStatistics>;

export const getQueueStatistics = defineRoute({
  operation: 'getQueueStatistics',
  permissions: ['events:read'],
  method: 'GET',
  path: '/v1/queues/{queue_id}/statistics',
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Queues',
  summary: 'Read the progress of an annotation queue and the agreement of its annotators',
  params: queuePath,
  response: Type.Object({
    counts: queueCounts,
    metrics: listOf(metricStatistics, 'Metrics of type HUMAN with scores, by name; at most 50.'),
    complete: flag('False when more events are completed: the first 1,000 of the queue count.', true),
  }),
});
