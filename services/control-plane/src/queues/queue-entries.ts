import { createHash } from 'node:crypto';
import { canonicalUuid, isUuid } from '@assay/domain';
import type { Document } from '@assay/document-store';
import type { NextPosition } from '../shared/list-position.js';
import { mapInBatches } from '../shared/map-in-batches.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { QueueEntryFields, QueueEntryCollection } from './queue-document.js';

export interface QueueEntryDeps {
  readonly queueEntries: QueueEntryCollection;
  readonly nextPosition: NextPosition;
  readonly now: () => Date;
}
export type QueueEntryDocument = Document<QueueEntryFields>;

const PAGE = 1_000;
const NOT_DONE = { is_done: false, done_at: null, done_by: null };

/** The events in the queues of one project. */
export class QueueEntries {
  private readonly entries: ProjectScopedCollection<QueueEntryFields>;

  constructor(
    private readonly deps: QueueEntryDeps,
    projectId: string,
  ) {
    this.entries = new ProjectScopedCollection(deps.queueEntries, projectId);
  }

  /** Adds events by themselves, also some that have not arrived yet. One that is in the queue stays where it is, one that somebody removed stays away. */
  async add(queueId: string, eventIds: readonly string[]): Promise<void> {
    await this.entries.insertMissing(this.newEntries(queueId, eventIds, false));
  }

  /** Adds events as {@link add}, and brings back those that somebody removed, at the end of the queue. */
  async addByHand(queueId: string, eventIds: readonly string[]): Promise<void> {
    const fresh = this.newEntries(queueId, eventIds, false);
    await this.entries.insertMissing(fresh);
    if ((await this.entries.count({ queue_id: queueId, is_removed: true })) === 0) return;
    await mapInBatches(fresh, async ({ id, fields }) => {
      const entry = await this.entries.get(id);
      if (entry?.is_removed)
        await this.entries.update(id, (found) => (found.is_removed ? { ...found, ...fields } : found));
    });
  }

  /** Takes events out of a queue. What stays is a mark, so that no later change of an event brings it back by itself. */
  async remove(queueId: string, eventIds: readonly string[]): Promise<void> {
    const marks = this.newEntries(queueId, eventIds, true);
    await this.entries.insertMissing(marks);
    await mapInBatches(marks, async ({ id }) => {
      const entry = await this.entries.get(id);
      if (entry && !entry.is_removed)
        await this.entries.update(id, (found) => ({ ...found, ...NOT_DONE, is_removed: true }));
    });
  }

  /** A page of the events of a queue, in the order in which they were added. */
  async page(
    queueId: string,
    { isDone, limit, offset }: { isDone?: boolean; limit: number; offset: number },
  ) {
    const equals = { queue_id: queueId, is_removed: false, ...(isDone !== undefined && { is_done: isDone }) };
    const entries = await this.entries.page({ equals, orderBy: 'position', offset }, limit);
    return { entries, total: await this.entries.count(equals) };
  }

  /** Undefined when the event is not in the queue. */
  async get(queueId: string, eventId: string): Promise<QueueEntryDocument | undefined> {
    return present(await this.entries.get(entryId(queueId, canonical(eventId))));
  }

  /** Says whether an event is done with; said again it changes nothing. Undefined when it is not in the queue. @throws AppError `CONFLICT` */
  async mark(
    queueId: string,
    eventId: string,
    done: { at: string; by: string } | undefined,
  ): Promise<QueueEntryDocument | undefined> {
    const mark = done ? { is_done: true, done_at: done.at, done_by: done.by } : NOT_DONE;
    const entry = await this.get(queueId, eventId);
    if (!entry || entry.is_done === mark.is_done) return entry;
    const isSaid = (found: QueueEntryDocument) => found.is_removed || found.is_done === mark.is_done;
    return present(
      await this.entries.update(entry.id, (found) => (isSaid(found) ? found : { ...found, ...mark })),
    );
  }

  /** Takes an event out of every queue, without a trace. */
  async removeEverywhere(eventId: string): Promise<void> {
    const next = () => this.entries.page({ equals: { event_id: eventId } }, PAGE);
    for (let page = await next(); page.length > 0; page = await next())
      await this.entries.deleteAll(page.map(({ id }) => id));
  }

  private newEntries(queue_id: string, eventIds: readonly string[], is_removed: boolean) {
    const added_at = this.deps.now().toISOString();
    const place = { project_id: this.entries.projectId, queue_id, added_at, is_removed, ...NOT_DONE };
    return [...new Set(eventIds.map(canonical))].map((event_id) => ({
      id: entryId(queue_id, event_id),
      fields: { ...place, event_id, position: this.deps.nextPosition() },
    }));
  }
}

function present(entry: QueueEntryDocument | undefined): QueueEntryDocument | undefined {
  return entry?.is_removed ? undefined : entry;
}

function canonical(eventId: string): string {
  return isUuid(eventId) ? canonicalUuid(eventId) : eventId;
}

/** One document for each event of a queue; a hash, because any text may name an event. */
function entryId(queueId: string, eventId: string): string {
  return `${queueId}:${createHash('sha256').update(eventId).digest('base64url')}`;
}
