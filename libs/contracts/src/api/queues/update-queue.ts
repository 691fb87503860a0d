import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import {
  annotationsPerItem,
  queueEnvelope,
  queueDescription,
  queueEnabled,
  queueEvents,
  queueFilters,
  queueId,
  queueMetricsOrNull,
  queueName,
  queuePath,
} from './queue.js';

export const updateQueueRequest = Type.Object(
  {
    id: Type.Optional(queueId()),
    name: Type.Optional(queueName()),
    description: Type.Optional(queueDescription()),
    filters: Type.Optional(queueFilters()),
    enabled: Type.Optional(queueEnabled()),
    annotations_per_item: Type.Optional(annotationsPerItem()),
    metric_ids: Type.Optional(
      queueMetricsOrNull('Ids of the HUMAN metrics that annotators score; null: every HUMAN metric.'),
    ),
    add_event_ids: Type.Optional(queueEvents('Ids of events to add.')),
    remove_event_ids: Type.Optional(queueEvents('Ids of events to remove.')),
  },
  {
    $id: 'UpdateQueueRequest',
    description: 'Fields to replace; absent fields are unchanged. The path identifies the queue.',
  },
);
export type UpdateQueueRequest = Static<typeof updateQueueRequest>;

export const updateQueue = defineRoute({
  operation: 'updateQueue',
  method: 'PUT',
  path: '/v1/queues/{queue_id}',
  aliases: ['/queues/{queue_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Queues',
  summary: 'Change an annotation queue, add events to it and remove some',
  params: queuePath,
  body: updateQueueRequest,
  response: queueEnvelope,
});
