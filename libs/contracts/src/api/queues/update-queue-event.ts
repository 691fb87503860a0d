import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, openObject } from '../../schema/fields.js';
import { queueEventPath, queueEventProperties } from './queue-event.js';

/** Maximum number of scores in one request. */
const MAX_SCORES = 100;

export const updateQueueEventRequest = Type.Object(
  {
    done: flag('Whether somebody is done with it.', true),
    metrics: Type.Optional(
      openObject(
        'Scores for the event, by the names of metrics of type HUMAN; <metric>_explanation is a text beside one.',
        { tone: 4, tone_explanation: 'Polite, but short' },
        { maxProperties: MAX_SCORES },
      ),
    ),
  },
  { $id: 'UpdateQueueEventRequest', description: 'What has become of an event in a queue.' },
);
export type UpdateQueueEventRequest = Static<typeof updateQueueEventRequest>;

export const updateQueueEvent = defineRoute({
  operation: 'updateQueueEvent',
  method: 'PUT',
  path: '/v1/queues/{queue_id}/events/{event_id}',
  aliases: ['/queues/{queue_id}/events/{event_id}'],
  owner: 'data-plane',
  access: 'project',
  tag: 'Queues',
  summary: 'Score an event of an annotation queue, and say that it is done, or is not',
  params: queueEventPath,
  body: updateQueueEventRequest,
  response: Type.Object(queueEventProperties),
});
