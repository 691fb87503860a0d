import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, listOf } from '../../schema/fields.js';
import { queueResponse } from './queue.js';

const listQueuesQuery = Type.Object({
  enabled: Type.Optional(flag('Only enabled queues (true), or only disabled queues (false).', true)),
});
export type ListQueuesQuery = Static<typeof listQueuesQuery>;

export const listQueues = defineRoute({
  operation: 'listQueues',
  method: 'GET',
  path: '/v1/queues',
  aliases: ['/queues'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Queues',
  summary: 'List annotation queues',
  query: listQueuesQuery,
  response: Type.Object({ queues: listOf(queueResponse, 'The queues, newest first.') }),
});
