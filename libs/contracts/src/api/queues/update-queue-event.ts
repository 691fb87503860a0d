import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag } from '../../schema/fields.js';
import { queueEventPath, queueEventProperties } from './queue-event.js';

export const updateQueueEventRequest = Type.Object(
  { done: flag('Whether somebody is done with it.', true) },
  { $id: 'UpdateQueueEventRequest', description: 'What has become of an event in a queue.' },
);
export type UpdateQueueEventRequest = Static<typeof updateQueueEventRequest>;

export const updateQueueEvent = defineRoute({
  operation: 'updateQueueEvent',
  method: 'PUT',
  path: '/v1/queues/{queue_id}/events/{event_id}',
  owner: 'control-plane',
  access: 'project',
  tag: 'Queues',
  summary: 'Say that an event of an annotation queue is done, or is not',
  params: queueEventPath,
  body: updateQueueEventRequest,
  answer: Type.Object(queueEventProperties),
});
