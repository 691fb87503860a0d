import type { ControlPlane, QueueEntry } from '@assay/control-plane-client';
import { acceptFilters } from '@assay/domain';
import { AppError } from '@assay/errors';
import { type MetricDeps, Metrics } from '../metrics/metric-repository.js';
import { inBatches } from '../shared/map-in-batches.js';
import type { QueueEntryDocument } from './queue-entries.js';
import { type QueueDeps, Queues } from './queue-repository.js';

type AboutQueues = Pick<
  ControlPlane,
  'queueEntries' | 'queueFilters' | 'addToQueue' | 'annotationMetrics' | 'markQueueEvent'
>;

/** What the data plane asks about queues: it has the events, and this side knows which of them are in a queue. */
export function queuesForDataPlane(deps: QueueDeps & MetricDeps): AboutQueues {
  const of = (projectId: string) => new Queues(deps, projectId);
  return {
    queueEntries: ({ projectId, queueId, ...page }) =>
      ifThere(async () => {
        const queue = await of(projectId).existing(queueId);
        const { entries, total } = await of(projectId).entries.page(queue.id, page);
        return { entries: entries.map((entry) => answered(entry)), total };
      }),
    queueFilters: ({ projectId, queueId }) =>
      ifThere(async () =>
        acceptFilters((await of(projectId).existing(queueId)).filters.filterArray, 'lenient'),
      ),
    addToQueue: async ({ projectId, queueId }, eventIds) => {
      const queue = await ifThere(() => of(projectId).existing(queueId));
      if (queue) await of(projectId).entries.add(queue.id, eventIds);
      return queue !== undefined;
    },
    annotationMetrics: ({ projectId, queueId, eventId, names }) =>
      ifThere(async () => {
        const queue = await of(projectId).existing(queueId);
        if (!(await of(projectId).entries.get(queue.id, eventId))) return undefined;
        const metrics = await inBatches(names, (name) => new Metrics(deps, projectId).judgedByPeople(name));
        return metrics
          .flat()
          .map(({ name, return_type, scale, categories }) => ({ name, return_type, scale, categories }));
      }),
    markQueueEvent: ({ projectId, queueId, eventId, done, by }) =>
      ifThere(async () => {
        const queue = await of(projectId).existing(queueId);
        const mark = done ? { at: deps.now().toISOString(), by: by.keyId } : undefined;
        const entry = await of(projectId).entries.mark(queue.id, eventId, mark);
        return entry && answered(entry);
      }),
  };
}

function answered(entry: QueueEntryDocument): QueueEntry {
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
