import type { AnswerOf, CreateQueueRequest, createQueue as route } from '@assay/contracts';
import type { Asking } from '../records/asking.js';
import { newId } from '../records/new-id.js';
import { answeredQueue } from './queue-records.js';
import { checkedFilters, type QueueDeps, Queues } from './queues-of.js';

/**
 * Creates a queue with the events that it begins with. They come first, so that the queue is complete from the moment it can be seen.
 * @throws AppError `VALIDATION_ERROR` for a filter that nothing can meet, `CONFLICT` when the project has too many queues
 */
export function makeCreateQueue(deps: QueueDeps) {
  return async function createQueue(
    { body }: { body: CreateQueueRequest },
    { caller }: Asking,
  ): Promise<AnswerOf<typeof route>> {
    const queues = new Queues(deps, caller.projectId);
    const { name, description = '', filters = { filterArray: [] }, enabled = true, event_ids = [] } = body;
    const content = { name, description, filters: checkedFilters(filters), enabled, is_active: true };
    const created_at = deps.now().toISOString();
    const times = { routes_from: created_at, created_at, updated_at: created_at };
    const id = newId();
    await queues.records.checkRoom('queues', { is_active: true });
    await queues.entries.add(id, event_ids);
    const queue = await queues.records.insert(id, { project_id: caller.projectId, ...content, ...times });
    return { queue: answeredQueue(queue), message: 'queue created' };
  };
}
