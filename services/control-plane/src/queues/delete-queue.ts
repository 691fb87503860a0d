import type { OperationContext } from '../shared/operation-context.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

/** Deletes a queue: it takes no more events and is answered no more. Its record stays. @throws AppError `NOT_FOUND`, `CONFLICT` */
export function makeDeleteQueue(deps: QueueDeps) {
  return async function deleteQueue(
    { params }: { params: { queue_id: string } },
    { caller }: OperationContext,
  ): Promise<{ message: string }> {
    const ended = (): string => deps.now().toISOString();
    await new QueueRepository(deps, caller.projectId).update(params.queue_id, (queue) => ({
      ...queue,
      is_active: false,
      updated_at: ended(),
    }));
    return { message: 'queue deleted' };
  };
}
