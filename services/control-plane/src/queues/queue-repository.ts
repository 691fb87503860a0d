import { acceptFilters, type FilterList } from '@assay/domain';
import { notFound } from '@assay/errors';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { QueueEntries, type QueueEntryDeps } from './queue-entries.js';
import type { Queue, QueueFields, QueueCollection } from './queue-document.js';

export interface QueueDeps extends QueueEntryDeps {
  readonly queues: QueueCollection;
}

/** The queues of one project, and the events in them. */
export class QueueRepository {
  readonly collection: ProjectScopedCollection<QueueFields>;
  readonly entries: QueueEntries;

  constructor(deps: QueueDeps, projectId: string) {
    this.collection = new ProjectScopedCollection(deps.queues, projectId);
    this.entries = new QueueEntries(deps, projectId);
  }

  /** @throws AppError `NOT_FOUND` when there is none, or it was deleted */
  async getExisting(id: string): Promise<Queue> {
    const queue = await this.collection.get(id);
    if (!queue?.is_active) throw notFound('queue not found');
    return queue;
  }

  /** @throws AppError `NOT_FOUND` as {@link existing}, `CONFLICT` */
  async update(id: string, change: (queue: Queue) => Queue): Promise<Queue> {
    const changed = await this.collection.update(id, (queue) => {
      if (!queue.is_active) throw notFound('queue not found');
      return change(queue);
    });
    if (!changed) throw notFound('queue not found');
    return changed;
  }
}

/** @throws AppError `VALIDATION_ERROR` when a filter is one that nothing can meet */
export function validateFilters(filters: FilterList): FilterList {
  acceptFilters(filters.filterArray, 'lenient', 'filters.filterArray');
  return filters;
}
