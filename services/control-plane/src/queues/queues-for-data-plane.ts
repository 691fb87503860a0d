import type { ControlPlane, QueueEntry } from '@assay/control-plane-client';
import { acceptFilters } from '@assay/domain';
import { type MetricDeps, MetricRepository } from '../metrics/metric-repository.js';
import { mapInBatches } from '../shared/map-in-batches.js';
import { undefinedIfNotFound } from '../shared/undefined-if-not-found.js';
import type { QueueEntryDocument } from './queue-entries.js';
import { type QueueDeps, QueueRepository } from './queue-repository.js';

type AboutQueues = Pick<
  ControlPlane,
  'queueEntries' | 'queueFilters' | 'addToQueue' | 'annotationMetrics' | 'markQueueEvent'
>;

/**
 * Queue operations for data planes, which hold the events. The control plane stores which events are in a
 * queue.
 */
export function queuesForDataPlane(deps: QueueDeps & MetricDeps): AboutQueues {
  const of = (projectId: string) => new QueueRepository(deps, projectId);
  return {
    queueEntries: ({ projectId, queueId, ...page }) =>
      undefinedIfNotFound(async () => {
        const queue = await of(projectId).getExisting(queueId);
        const { entries, total } = await of(projectId).entries.page(queue.id, page);
        return { entries: entries.map((entry) => toQueueEntry(entry)), total };
      }),
    queueFilters: ({ projectId, queueId }) =>
      undefinedIfNotFound(async () =>
        acceptFilters((await of(projectId).getExisting(queueId)).filters.filterArray, 'lenient'),
      ),
    addToQueue: async ({ projectId, queueId }, eventIds) => {
      const queue = await undefinedIfNotFound(() => of(projectId).getExisting(queueId));
      if (queue) await of(projectId).entries.add(queue.id, eventIds);
      return queue !== undefined;
    },
    annotationMetrics: ({ projectId, queueId, eventId, names }) =>
      undefinedIfNotFound(async () => {
        const queue = await of(projectId).getExisting(queueId);
        if (!(await of(projectId).entries.get(queue.id, eventId))) return undefined;
        const metrics = await mapInBatches(names, (name) =>
          new MetricRepository(deps, projectId).humanMetrics(name),
        );
        return metrics
          .flat()
          .map(({ name, return_type, scale, categories }) => ({ name, return_type, scale, categories }));
      }),
    markQueueEvent: ({ projectId, queueId, eventId, done, by }) =>
      undefinedIfNotFound(async () => {
        const queue = await of(projectId).getExisting(queueId);
        const completion = done ? { at: deps.now().toISOString(), by: by.keyId } : undefined;
        const entry = await of(projectId).entries.setDone(queue.id, eventId, completion);
        return entry && toQueueEntry(entry);
      }),
  };
}

function toQueueEntry(entry: QueueEntryDocument): QueueEntry {
  return { eventId: entry.event_id, addedAt: entry.added_at, done: entry.is_done, doneAt: entry.done_at };
}
