import { Type } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { flag } from '../schema/fields.js';
import { BODY_BYTES, queueName, textItems } from './fields.js';

export const addToQueue = defineRoute({
  operation: 'addToQueue',
  method: 'POST',
  path: '/internal/v1/queues/add',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Add events to a queue',
  limits: { maxBodyBytes: BODY_BYTES.idList },
  body: Type.Object({
    ...queueName,
    eventIds: textItems('Ids of the events.', ['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e']),
  }),
  response: Type.Object({ added: flag('False when there is no such queue.', true) }),
});
