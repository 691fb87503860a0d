import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, integer, openObject } from '../../schema/fields.js';
import { limitedTextOrNull } from '../../schema/resource-fields.js';
import {
  annotator,
  MAX_COMMENT_LENGTH,
  MAX_REASON_LENGTH,
  queueEventPath,
  queueEventProperties,
  queueEventState,
} from './queue-event.js';

/** Maximum number of scores in one request. */
const MAX_SCORES = 100;

export const updateQueueEventRequest = Type.Object(
  {
    done: Type.Optional(flag('Whether the entry is completed. Required without a status.', true)),
    status: Type.Optional(queueEventState()),
    annotator: Type.Optional(annotator()),
    version: Type.Optional(
      integer('The version that the annotator has seen; 409 when the entry has changed since.', 0, {
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ),
    metrics: Type.Optional(
      openObject(
        'Scores for the event, by name of a HUMAN metric; <metric>_explanation is an optional text.',
        { tone: 4, tone_explanation: 'Polite, but short' },
        { maxProperties: MAX_SCORES },
      ),
    ),
    comment: Type.Optional(
      limitedTextOrNull('Comment on the event, kept with it.', 'Check the second paragraph', {
        maxLength: MAX_COMMENT_LENGTH,
      }),
    ),
    reason: Type.Optional(
      limitedTextOrNull('Why the event is skipped, kept with it.', 'Not a question', {
        maxLength: MAX_REASON_LENGTH,
      }),
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
  console: true,
  tag: 'Queues',
  summary: 'Score an event of an annotation queue, and complete, skip or reopen its entry',
  params: queueEventPath,
  body: updateQueueEventRequest,
  response: Type.Object(queueEventProperties),
});
