import { Type } from '@sinclair/typebox';
import { QUEUE_EVENT_STATES, type QueueEventState } from '@assay/domain';
import { defineRoute } from '../route.js';
import { choice, flag, text } from '../schema/fields.js';
import { actingKey } from './acting-key.js';
import { BODY_BYTES, orNull, queueEventName } from './fields.js';
import { queueEntry } from './queue-entry.js';

export const markQueueEvent = defineRoute({
  operation: 'markQueueEvent',
  method: 'POST',
  path: '/internal/v1/queues/mark',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Mark an event of a queue as done, skipped or open; null when it is not in the queue',
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: Type.Object({
    ...queueEventName,
    done: flag('Whether it is done.', true),
    status: Type.Optional(
      choice<QueueEventState>(QUEUE_EVENT_STATES, 'The state; absent: done says it.', 'done'),
    ),
    annotator: Type.Optional(text('Who reviews; absent: the id of the key.', 'anna')),
    by: actingKey,
  }),
  response: Type.Object({ entry: orNull(queueEntry) }),
});
