import { defineRoute } from '../../route.js';
import { queueResponse, queuePath } from './queue.js';

export const getQueue = defineRoute({
  operation: 'getQueue',
  method: 'GET',
  path: '/v1/queues/{queue_id}',
  aliases: ['/queues/{queue_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Queues',
  summary: 'Read an annotation queue',
  params: queuePath,
  response: queueResponse,
});
