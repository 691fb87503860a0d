import type { ResponseOf, ListQueuesQuery, listQueues as route } from '@assay/contracts';
import { mapPages, streamJson, type JsonStream } from '@assay/http';
import type { OperationContext } from '../shared/operation-context.js';
import { toQueueResponse } from './queue-document.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

/** Lists the queues of the project, newest first. */
export function makeListQueues(deps: QueueDeps) {
  return function listQueues(
    { query }: { query: ListQueuesQuery },
    { caller }: OperationContext,
  ): Promise<JsonStream<ResponseOf<typeof route>>> {
    const pages = new QueueRepository(deps, caller.projectId).collection.allPages({
      equals: { is_active: true, ...(query.enabled !== undefined && { enabled: query.enabled }) },
      orderBy: 'created_at',
      descending: true,
    });
    return Promise.resolve(
      streamJson<ResponseOf<typeof route>>({ queues: mapPages(pages, toQueueResponse) }),
    );
  };
}
