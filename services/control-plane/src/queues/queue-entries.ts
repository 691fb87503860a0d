import { createHash } from 'node:crypto';
import { canonicalUuid, isUuid } from '@assay/domain';
import type { Document } from '@assay/document-store';
import { chunks } from '../shared/chunks.js';
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

/** Events in the queues of one project. */
export class QueueEntries {
  private readonly entries: ProjectScopedCollection<QueueEntryFields>;

  constructor(
    private readonly deps: QueueEntryDeps,
    projectId: string,
  ) {
    this.entries = new ProjectScopedCollection(deps.queueEntries, projectId);
  }

  /**
   * Adds events, which need not exist yet. Existing entries keep their position, and removed events stay
   * removed.
   */
  async add(queueId: string, eventIds: readonly string[]): Promise<void> {
    await this.entries.insertMissing(this.newEntries(queueId, eventIds, false));
  }

  /** Adds events as {@link add}, and appends removed events again. */
  async addOrRestore(queueId: string, eventIds: readonly string[]): Promise<void> {
    const added = this.newEntries(queueId, eventIds, false);
    await this.entries.insertMissing(added);
    if ((await this.entries.count({ queue_id: queueId, is_removed: true })) === 0) return;
    await mapInBatches(added, async ({ id, fields }) => {
      const entry = await this.entries.get(id);
      if (entry?.is_removed)
        await this.entries.update(id, (found) => (found.is_removed ? { ...found, ...fields } : found));
    });
  }

  /**
   * Removes events from a queue. A tombstone remains, so that later changes of the event do not add it again.
   */
  async remove(queueId: string, eventIds: readonly string[]): Promise<void> {
    const tombstones = this.newEntries(queueId, eventIds, true);
    await this.entries.insertMissing(tombstones);
    await mapInBatches(tombstones, async ({ id }) => {
      const entry = await this.entries.get(id);
      if (entry && !entry.is_removed)
        await this.entries.update(id, (found) => ({ ...found, ...NOT_DONE, is_removed: true }));
    });
  }

  /** Returns a page of the events of a queue, in the order in which they were added. */
  async page(
    queueId: string,
    { isDone, limit, offset }: { isDone?: boolean; limit: number; offset: number },
  ) {
    const equals = { queue_id: queueId, is_removed: false, ...(isDone !== undefined && { is_done: isDone }) };
    const entries = await this.entries.page({ equals, orderBy: 'position', offset }, limit);
    return { entries, total: await this.entries.count(equals) };
  }

  /** Returns undefined if the event is not in the queue. */
  async get(queueId: string, eventId: string): Promise<QueueEntryDocument | undefined> {
    return present(await this.entries.get(entryId(queueId, canonical(eventId))));
  }

  /**
   * Sets whether an event is done. Idempotent. Returns undefined if the event is not in the queue. @throws
   * AppError `CONFLICT`
   */
  async setDone(
    queueId: string,
    eventId: string,
    done: { at: string; by: string } | undefined,
  ): Promise<QueueEntryDocument | undefined> {
    const state = done ? { is_done: true, done_at: done.at, done_by: done.by } : NOT_DONE;
    const entry = await this.get(queueId, eventId);
    if (!entry || entry.is_done === state.is_done) return entry;
    const isSet = (found: QueueEntryDocument) => found.is_removed || found.is_done === state.is_done;
    return present(
      await this.entries.update(entry.id, (found) => (isSet(found) ? found : { ...found, ...state })),
    );
  }

  /** Deletes the entries of events in all queues, without tombstones. */
  async removeEverywhere(eventIds: readonly string[]): Promise<void> {
    for (const ids of chunks([...new Set(eventIds)], PAGE)) {
      const where = [{ field: 'event_id', in: ids }];
      const next = () => this.entries.page({ orderBy: 'event_id', where }, PAGE);
      for (let page = await next(); page.length > 0; page = await next())
        await this.entries.deleteAll(page.map(({ id }) => id));
    }
  }

  private newEntries(queue_id: string, eventIds: readonly string[], is_removed: boolean) {
    const added_at = this.deps.now().toISOString();
    const common = { project_id: this.entries.projectId, queue_id, added_at, is_removed, ...NOT_DONE };
    return [...new Set(eventIds.map(canonical))].map((event_id) => ({
      id: entryId(queue_id, event_id),
      fields: { ...common, event_id, position: this.deps.nextPosition() },
    }));
  }
}

function present(entry: QueueEntryDocument | undefined): QueueEntryDocument | undefined {
  return entry?.is_removed ? undefined : entry;
}

function canonical(eventId: string): string {
  return isUuid(eventId) ? canonicalUuid(eventId) : eventId;
}

/** Returns the id of an event's entry in a queue. It contains a hash, because event ids may be any text. */
function entryId(queueId: string, eventId: string): string {
  return `${queueId}:${createHash('sha256').update(eventId).digest('base64url')}`;
}
