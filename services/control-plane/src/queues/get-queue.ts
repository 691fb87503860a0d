import type { QueueResponse } from '@assay/contracts';
import type { OperationContext } from '../shared/operation-context.js';
import { toQueueResponse } from './queue-document.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

/** Returns a queue. @throws AppError `NOT_FOUND` */
export function makeGetQueue(deps: QueueDeps) {
  return async function getQueue(
    { params }: { params: { queue_id: string } },
    { caller }: OperationContext,
  ): Promise<QueueResponse> {
    return toQueueResponse(await new QueueRepository(deps, caller.projectId).getExisting(params.queue_id));
  };
}
