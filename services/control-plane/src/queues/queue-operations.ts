import { makeCreateQueue } from './create-queue.js';
import { makeDeleteQueue } from './delete-queue.js';
import { makeGetQueue } from './get-queue.js';
import { makeListQueues } from './list-queues.js';
import { makeUpdateQueue } from './update-queue.js';
import type { QueueDeps } from './queue-repository.js';

/** The operations on queues, by the names of their routes. */
export function queueOperations(deps: QueueDeps) {
  return {
    listQueues: makeListQueues(deps),
    createQueue: makeCreateQueue(deps),
    getQueue: makeGetQueue(deps),
    updateQueue: makeUpdateQueue(deps),
    deleteQueue: makeDeleteQueue(deps),
  };
}
