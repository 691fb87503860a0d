import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { text } from '../../schema/fields.js';
import { queuePath } from './queue.js';

export const deleteQueue = defineRoute({
  operation: 'deleteQueue',
  method: 'DELETE',
  path: '/v1/queues/{queue_id}',
  aliases: ['/queues/{queue_id}'],
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Queues',
  summary: 'Delete an annotation queue',
  params: queuePath,
  response: Type.Object({ message: text('Description of the change.', 'queue deleted') }),
});
