import { checkArrivalFilters, type FilterList } from '@assay/domain';
import { notFound } from '@assay/errors';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { QueueEntries, type QueueEntryDeps } from './queue-entries.js';
import type { Queue, QueueFields, QueueCollection } from './queue-document.js';

export interface QueueDeps extends QueueEntryDeps {
  readonly queues: QueueCollection;
}

/** Queues of one project and the events in them. */
export class QueueRepository {
  readonly collection: ProjectScopedCollection<QueueFields>;
  readonly entries: QueueEntries;

  constructor(deps: QueueDeps, projectId: string) {
    this.collection = new ProjectScopedCollection(deps.queues, projectId);
    this.entries = new QueueEntries(deps, projectId);
  }

  /** Returns the queues that take events. */
  async *routingQueues(): AsyncGenerator<Queue> {
    const enabled = { equals: { is_active: true, enabled: true }, orderBy: 'created_at' };
    for await (const page of this.collection.allPages(enabled)) yield* page;
  }

  /** @throws AppError `NOT_FOUND` if the queue does not exist or was deleted */
  async getExisting(id: string): Promise<Queue> {
    const queue = await this.collection.get(id);
    if (!queue?.is_active) throw notFound('queue not found');
    return queue;
  }

  /** @throws AppError `NOT_FOUND` as {@link getExisting}, `CONFLICT` */
  async update(id: string, update: (queue: Queue) => Queue): Promise<Queue> {
    const updated = await this.collection.update(id, (queue) => {
      if (!queue.is_active) throw notFound('queue not found');
      return update(queue);
    });
    if (!updated) throw notFound('queue not found');
    return updated;
  }
}

/** Returns the filters unchanged. @throws AppError `VALIDATION_ERROR` for an invalid filter */
export function validateFilters(filters: FilterList): FilterList {
  checkArrivalFilters(filters.filterArray, 'filters.filterArray');
  return filters;
}
