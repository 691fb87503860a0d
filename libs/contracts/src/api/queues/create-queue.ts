import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import {
  annotationsPerItem,
  queueEnvelope,
  queueDescription,
  queueEnabled,
  queueEvents,
  queueFilters,
  queueMetricsOrNull,
  queueName,
} from './queue.js';

export const createQueueRequest = Type.Object(
  {
    name: queueName(),
    description: Type.Optional(queueDescription()),
    filters: Type.Optional(queueFilters()),
    enabled: Type.Optional(queueEnabled()),
    annotations_per_item: Type.Optional(annotationsPerItem()),
    metric_ids: Type.Optional(
      queueMetricsOrNull(
        'Ids of the HUMAN metrics that annotators score; absent or null: every HUMAN metric.',
      ),
    ),
    event_ids: Type.Optional(queueEvents('Ids of the initial events.')),
  },
  { $id: 'CreateQueueRequest', description: 'The annotation queue to create.' },
);
export type CreateQueueRequest = Static<typeof createQueueRequest>;

export const createQueue = defineRoute({
  operation: 'createQueue',
  method: 'POST',
  path: '/v1/queues',
  aliases: ['/queues'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Queues',
  summary: 'Create an annotation queue',
  body: createQueueRequest,
  response: queueEnvelope,
});
