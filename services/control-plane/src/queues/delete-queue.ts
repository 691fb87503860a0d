import type { OperationContext } from '../shared/operation-context.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

/**
 * Deletes a queue: it receives no more events and is no longer returned. Its document remains. @throws
 * AppError `NOT_FOUND`, `CONFLICT`
 */
export function makeDeleteQueue(deps: QueueDeps) {
  return async function deleteQueue(
    { params }: { params: { queue_id: string } },
    { caller }: OperationContext,
  ): Promise<{ message: string }> {
    await new QueueRepository(deps, caller.projectId).update(params.queue_id, (queue) => ({
      ...queue,
      is_active: false,
      updated_at: deps.now().toISOString(),
    }));
    return { message: 'queue deleted' };
  };
}
