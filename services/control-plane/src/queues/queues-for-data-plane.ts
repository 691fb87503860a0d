import type { ControlPlane } from '@assay/control-plane-client';
import { acceptFilters } from '@assay/domain';
import { AppError } from '@assay/errors';
import { type QueueDeps, Queues } from './queues-of.js';

/** What the data plane asks about queues: it has the events, and this side knows which of them are in a queue. */
export function queuesForDataPlane(deps: QueueDeps): Pick<ControlPlane, 'queueEntries' | 'queueFilters' | 'addToQueue'> {
  const of = (projectId: string) => new Queues(deps, projectId);
  return {
    queueEntries: ({ projectId, queueId, ...page }) =>
      ifThere(async () => {
        const { entries, total } = await of(projectId).entriesOf(queueId, page);
        return { entries: entries.map((entry) => answered(entry)), total };
      }),
    queueFilters: ({ projectId, queueId }) =>
      ifThere(async () => acceptFilters((await of(projectId).existing(queueId)).filters.filterArray, 'lenient')),
    addToQueue: async ({ projectId, queueId }, eventIds) => {
      const queue = await ifThere(() => of(projectId).existing(queueId));
      if (queue) await of(projectId).add(queue.id, eventIds);
      return queue !== undefined;
    },
  };
}

function answered(entry: { event_id: string; added_at: string; is_done: boolean; done_at: string | null }) {
  return { eventId: entry.event_id, addedAt: entry.added_at, done: entry.is_done, doneAt: entry.done_at };
}

async function ifThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
