import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, integer, listOf } from '../../schema/fields.js';
import { queuePath } from './queue.js';
import { queueCounts, queueEvent, queueEventStatus } from './queue-event.js';

const listQueueEventsQuery = Type.Object({
  done: Type.Optional(flag('Only completed or skipped entries (true), or only open entries (false).', false)),
  status: Type.Optional(queueEventStatus()),
  limit: Type.Optional(integer('Events per page.', 100, { minimum: 1, maximum: 1000, default: 100 })),
  page: Type.Optional(integer('Page, from 1.', 1, { minimum: 1, maximum: 1_000_000, default: 1 })),
});
export type ListQueueEventsQuery = Static<typeof listQueueEventsQuery>;

export const listQueueEvents = defineRoute({
  operation: 'listQueueEvents',
  permissions: ['events:read'],
  method: 'GET',
  path: '/v1/queues/{queue_id}/events',
  aliases: ['/queues/{queue_id}/events'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Queues',
  summary: 'List the events of an annotation queue, oldest entry first',
  params: queuePath,
  query: listQueueEventsQuery,
  response: Type.Object({
    events: listOf(queueEvent, 'The events of this page.'),
    total: integer('Number of events, over all pages.', 1),
    counts: queueCounts,
  }),
});
