import { acceptFilters, type FilterList } from '@assay/domain';
import { notFound } from '@assay/errors';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { QueueEntries, type QueueEntryDeps } from './queue-entries.js';
import type { Queue, QueueFields, QueueRecords } from './queue-document.js';

export interface QueueDeps extends QueueEntryDeps {
  readonly queues: QueueRecords;
}

/** The queues of one project, and the events in them. */
export class Queues {
  readonly records: ProjectScopedCollection<QueueFields>;
  readonly entries: QueueEntries;

  constructor(deps: QueueDeps, projectId: string) {
    this.records = new ProjectScopedCollection(deps.queues, projectId);
    this.entries = new QueueEntries(deps, projectId);
  }

  /** @throws AppError `NOT_FOUND` when there is none, or it was deleted */
  async existing(id: string): Promise<Queue> {
    const queue = await this.records.get(id);
    if (!queue?.is_active) throw notFound('queue not found');
    return queue;
  }

  /** @throws AppError `NOT_FOUND` as {@link existing}, `CONFLICT` */
  async change(id: string, change: (queue: Queue) => Queue): Promise<Queue> {
    const changed = await this.records.change(id, (queue) => {
      if (!queue.is_active) throw notFound('queue not found');
      return change(queue);
    });
    if (!changed) throw notFound('queue not found');
    return changed;
  }
}

/** @throws AppError `VALIDATION_ERROR` when a filter is one that nothing can meet */
export function checkedFilters(filters: FilterList): FilterList {
  acceptFilters(filters.filterArray, 'lenient', 'filters.filterArray');
  return filters;
}
