import { Type } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { flag } from '../schema/fields.js';
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
  summary: 'Mark an event of a queue as done or not done; null when it is not in the queue',
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: Type.Object({ ...queueEventName, done: flag('Whether it is done.', true), by: actingKey }),
  response: Type.Object({ entry: orNull(queueEntry) }),
});
