import type { ResponseOf, ListQueuesQuery, listQueues as route } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { toQueueResponse } from './queue-document.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

/** Lists the queues of the project, newest first. */
export function makeListQueues(deps: QueueDeps) {
  return async function listQueues(
    { query }: { query: ListQueuesQuery },
    { caller }: OperationContext,
  ): Promise<ResponseOf<typeof route>> {
    const found = await new QueueRepository(deps, caller.projectId).collection.all({
      equals: { is_active: true, ...(query.enabled !== undefined && { enabled: query.enabled }) },
      orderBy: 'created_at',
      descending: true,
    });
    return { queues: found.map(toQueueResponse) };
  };
}
