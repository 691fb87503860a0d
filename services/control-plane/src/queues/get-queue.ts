import type { AnsweredQueue } from '@assay/contracts';
import type { Asking } from '../records/asking.js';
import { answeredQueue } from './queue-records.js';
import { type QueueDeps, Queues } from './queues-of.js';

/** @throws AppError `NOT_FOUND` */
export function makeGetQueue(deps: QueueDeps) {
  return async function getQueue(
    { params }: { params: { queue_id: string } },
    { caller }: Asking,
  ): Promise<AnsweredQueue> {
    return answeredQueue(await new Queues(deps, caller.projectId).existing(params.queue_id));
  };
}
