import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { annotator, queueEventPath, queueEventProperties } from './queue-event.js';

export const releaseQueueEvent = defineRoute({
  operation: 'releaseQueueEvent',
  method: 'DELETE',
  path: '/v1/queues/{queue_id}/events/{event_id}/lease',
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Queues',
  summary: 'Release the lease of an event of an annotation queue',
  params: queueEventPath,
  query: Type.Object({ annotator: Type.Optional(annotator()) }),
  response: Type.Object(queueEventProperties),
});
