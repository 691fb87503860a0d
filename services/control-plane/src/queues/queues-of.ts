import { createHash } from 'node:crypto';
import { acceptFilters, canonicalUuid, type FilterList, isUuid } from '@assay/domain';
import { notFound } from '@assay/errors';
import { RecordsInProject } from '../records/records-in-project.js';
import type { Queue, QueueEntryFields, QueueEntryRecords, QueueFields, QueueRecords } from './queue-records.js';

export interface QueueDeps {
  readonly queues: QueueRecords;
  readonly queueEntries: QueueEntryRecords;
  readonly now: () => Date;
}

const PAGE = 1_000;
const NOT_DONE = { is_done: false, done_at: null, done_by: null };

/** The queues of one project, and the events in them. */
export class Queues {
  readonly records: RecordsInProject<QueueFields>;
  private readonly entries: RecordsInProject<QueueEntryFields>;

  constructor(
    private readonly deps: QueueDeps,
    projectId: string,
  ) {
    this.records = new RecordsInProject(deps.queues, projectId);
    this.entries = new RecordsInProject(deps.queueEntries, projectId);
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

  /** Adds events, also some that have not arrived yet. One that is in the queue already stays where it is. */
  async add(queueId: string, eventIds: readonly string[]): Promise<void> {
    const place = { project_id: this.records.projectId, queue_id: queueId, added_at: this.deps.now().toISOString(), ...NOT_DONE };
    const ids = [...new Set(eventIds.map(canonical))];
    await this.entries.insertMissing(ids.map((event_id) => ({ id: entryId(queueId, event_id), fields: { ...place, event_id } })));
  }

  async remove(queueId: string, eventIds: readonly string[]): Promise<void> {
    const ids = eventIds.map((id) => entryId(queueId, canonical(id)));
    for (let start = 0; start < ids.length; start += PAGE) await this.entries.deleteAll(ids.slice(start, start + PAGE));
  }

  /** A page of the events of a queue, in the order in which they were added. @throws AppError `NOT_FOUND` as {@link existing} */
  async entriesOf(queueId: string, { isDone, limit, offset }: { isDone?: boolean; limit: number; offset: number }) {
    const { id } = await this.existing(queueId);
    const equals = { queue_id: id, ...(isDone !== undefined && { is_done: isDone }) };
    const entries = await this.entries.page({ equals, orderBy: 'added_at', offset }, limit);
    return { entries, total: await this.entries.count(equals) };
  }

  /** Says whether an event is done with. Undefined when it is not in the queue. @throws AppError `NOT_FOUND`, `CONFLICT` */
  async mark(queueId: string, eventId: string, done: { at: string; by: string } | undefined) {
    const { id } = await this.existing(queueId);
    const mark = done ? { is_done: true, done_at: done.at, done_by: done.by } : NOT_DONE;
    return this.entries.change(entryId(id, canonical(eventId)), (entry) =>
      entry.is_done === mark.is_done ? entry : { ...entry, ...mark },
    );
  }

  /** Takes an event out of every queue. */
  async removeEverywhere(eventId: string): Promise<void> {
    const next = () => this.entries.page({ equals: { event_id: eventId } }, PAGE);
    for (let page = await next(); page.length > 0; page = await next()) await this.entries.deleteAll(page.map(({ id }) => id));
  }
}

/** @throws AppError `VALIDATION_ERROR` when a filter is one that nothing can meet */
export function checkedFilters(filters: FilterList): FilterList {
  acceptFilters(filters.filterArray, 'lenient', 'filters.filterArray');
  return filters;
}

function canonical(eventId: string): string {
  return isUuid(eventId) ? canonicalUuid(eventId) : eventId;
}

/** One document for each event of a queue; a hash, because any text may name an event. */
function entryId(queueId: string, eventId: string): string {
  return `${queueId}:${createHash('sha256').update(eventId).digest('base64url')}`;
}
