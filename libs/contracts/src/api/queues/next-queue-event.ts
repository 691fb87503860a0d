import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { queuePath } from './queue.js';
import { annotator, queueCounts, queueEvent } from './queue-event.js';

export const nextQueueEventRequest = Type.Object(
  { annotator: Type.Optional(annotator()) },
  { $id: 'NextQueueEventRequest', description: 'Who reviews the event.' },
);
export type NextQueueEventRequest = Static<typeof nextQueueEventRequest>;

export const nextQueueEvent = defineRoute({
  operation: 'nextQueueEvent',
  permissions: ['events:read'],
  method: 'POST',
  path: '/v1/queues/{queue_id}/next',
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Queues',
  summary: 'Lease the oldest open event of an annotation queue for 10 minutes',
  params: queuePath,
  body: nextQueueEventRequest,
  response: Type.Object({
    item: Type.Unsafe<Static<typeof queueEvent> | null>({
      ...queueEvent,
      $id: 'LeasedQueueEvent',
      type: ['object', 'null'],
      description: 'The leased event; null when no event is open.',
    }),
    counts: queueCounts,
  }),
});
