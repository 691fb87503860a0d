import type { AnswerOf, updateQueueEvent as route } from '@assay/contracts';
import type { Caller } from '@assay/domain';
import { notFound } from '@assay/errors';
import { type QueueDeps, Queues } from './queues-of.js';

/** Says that somebody is done with an event of a queue, or that nobody is. @throws AppError `NOT_FOUND` when it is not in the queue */
export function makeUpdateQueueEvent(deps: QueueDeps) {
  return async function updateQueueEvent(
    { params, body }: { params: { queue_id: string; event_id: string }; body: { done: boolean } },
    { caller }: { readonly caller: Pick<Caller, 'projectId' | 'keyId'> },
  ): Promise<AnswerOf<typeof route>> {
    const done = body.done ? { at: deps.now().toISOString(), by: caller.keyId } : undefined;
    const entry = await new Queues(deps, caller.projectId).mark(params.queue_id, params.event_id, done);
    if (!entry) throw notFound('the event is not in the queue');
    const { event_id, added_at, is_done, done_at } = entry;
    return { event_id, added_at, done: is_done, done_at };
  };
}
