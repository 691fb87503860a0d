import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, openObject } from '../../schema/fields.js';
import { queueEventPath, queueEventProperties } from './queue-event.js';

/** Maximum number of scores in one request. */
const MAX_SCORES = 100;

export const updateQueueEventRequest = Type.Object(
  {
    done: flag('Whether the entry is completed.', true),
    metrics: Type.Optional(
      openObject(
        'Scores for the event, by name of a HUMAN metric; <metric>_explanation is an optional text.',
        { tone: 4, tone_explanation: 'Polite, but short' },
        { maxProperties: MAX_SCORES },
      ),
    ),
  },
  { $id: 'UpdateQueueEventRequest', description: 'State of a queue entry.' },
);
export type UpdateQueueEventRequest = Static<typeof updateQueueEventRequest>;

export const updateQueueEvent = defineRoute({
  operation: 'updateQueueEvent',
  permissions: ['events:write'],
  method: 'PUT',
  path: '/v1/queues/{queue_id}/events/{event_id}',
  aliases: ['/queues/{queue_id}/events/{event_id}'],
  owner: 'data-plane',
  access: 'project',
  tag: 'Queues',
  summary: 'Score an event of an annotation queue, and complete or reopen its entry',
  params: queueEventPath,
  body: updateQueueEventRequest,
  response: Type.Object(queueEventProperties),
});
