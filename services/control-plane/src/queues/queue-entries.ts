import { createHash } from 'node:crypto';
import { canonicalUuid, isUuid, type QueueEventState, type QueueEventStatus } from '@assay/domain';
import type { Document, ListQuery, Scalar } from '@assay/document-store';
import { chunks } from '../shared/chunks.js';
import type { NextPosition } from '../shared/list-position.js';
import { mapInBatches } from '../shared/map-in-batches.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { isCompletedBy, NOT_DONE, nextRevision, NO_LEASE, stateOf } from './queue-entry-state.js';
import type { Queue, QueueEntryFields, QueueEntryCollection } from './queue-document.js';
import { QueueLeases } from './queue-leases.js';

export interface QueueEntryDeps {
  readonly queueEntries: QueueEntryCollection;
  readonly nextPosition: NextPosition;
  readonly now: () => Date;
}
export type QueueEntryDocument = Document<QueueEntryFields>;

const PAGE = 1_000;

/** Who marks an event of a queue, and when. */
interface Completion {
  readonly at: string;
  readonly by: string;
  readonly annotator: string;
}

/** Events in the queues of one project. */
export class QueueEntries {
  readonly leases: QueueLeases;
  private readonly entries: ProjectScopedCollection<QueueEntryFields>;

  constructor(
    private readonly deps: QueueEntryDeps,
    projectId: string,
  ) {
    this.entries = new ProjectScopedCollection(deps.queueEntries, projectId);
    this.leases = new QueueLeases(this.entries, deps.now);
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
        await this.entries.update(id, (found) =>
          found.is_removed ? { ...found, ...fields, ...nextRevision(found) } : found,
        );
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
        await this.entries.update(id, (found) => ({
          ...found,
          ...NOT_DONE,
          ...nextRevision(found),
          is_removed: true,
        }));
    });
  }

  /**
   * Returns a page of the events of a queue, in the order in which they were added; leased ones in the order in which
   * their leases end.
   */
  async page(queueId: string, { isDone, status, limit, offset }: PageQuery) {
    await this.leases.endExpired(queueId);
    const { equals, where, orderBy } = selection(queueId, { isDone, status }, this.deps.now());
    const entries = await this.entries.page({ equals, where, orderBy, offset }, limit);
    return { entries, total: await this.entries.count(equals, where) };
  }

  /** Counts the events of a queue by their status. */
  async counts(queueId: string) {
    const count = (status: QueueEventStatus) => {
      const { equals, where } = selection(queueId, { status }, this.deps.now());
      return this.entries.count(equals, where);
    };
    const [pending, leased, done, skipped] = await Promise.all([
      count('pending'),
      count('leased'),
      count('done'),
      count('skipped'),
    ]);
    return { pending, leased, done, skipped };
  }

  /** Returns undefined if the event is not in the queue. */
  async get(queueId: string, eventId: string): Promise<QueueEntryDocument | undefined> {
    return present(await this.entries.get(entryId(queueId, eventId)));
  }

  /**
   * Sets the state of an event and ends its lease. In a queue whose events several annotators complete, the event stays
   * open until as many have. Idempotent. Returns undefined if the event is not in the queue.
   * @throws AppError `CONFLICT`
   */
  async setState(
    { id: queueId, annotations_per_item: required = 1 }: Pick<Queue, 'id' | 'annotations_per_item'>,
    eventId: string,
    state: QueueEventState,
    completion: Completion,
  ): Promise<QueueEntryDocument | undefined> {
    const entry = await this.get(queueId, eventId);
    const isUndone = (found: QueueEntryFields) =>
      state === 'pending' && isCompletedBy(found, completion.annotator);
    if (!entry || (isSet(entry, state) && !isUndone(entry))) return entry;
    return present(
      await this.entries.update(entry.id, (found) => {
        if (found.is_removed) return found;
        const isChanged = stateOf(found) !== state || isUndone(found);
        const changed = isChanged ? changedState(found, state, { ...completion, required }) : {};
        return { ...found, ...changed, ...NO_LEASE };
      }),
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
    const { projectId: project_id } = this.entries;
    const common = { project_id, queue_id, added_at, is_removed, ...NOT_DONE, revision: 0 };
    return [...new Set(eventIds.map(canonical))].map((event_id) => ({
      id: entryId(queue_id, event_id),
      fields: { ...common, event_id, position: this.deps.nextPosition() },
    }));
  }
}

/** Returns the fields of an entry that a change of its state sets. An open entry may stay open, with one annotator more. */
function changedState(
  entry: QueueEntryFields,
  state: QueueEventState,
  { at, by, annotator, required }: Completion & { readonly required: number },
): Partial<QueueEntryFields> {
  if (state === 'pending' && !entry.is_done) return withoutAnnotator(entry, annotator);
  if (state === 'pending') return { ...reopened(entry, annotator), ...nextRevision(entry) };
  const closed = { is_done: true, done_at: at, done_by: by, annotator, ...nextRevision(entry) };
  if (state === 'skipped') return { ...closed, closed_as: state };
  if (required === 1) return { ...closed, closed_as: null };
  const annotators = [...new Set([...(entry.annotators ?? []), annotator])];
  if (annotators.length >= required) return { ...closed, closed_as: null, annotators };
  return isCompletedBy(entry, annotator) ? {} : { annotators, ...nextRevision(entry) };
}

/** An annotator takes the completion of an entry back that others have yet to complete. */
function withoutAnnotator(entry: QueueEntryFields, annotator: string): Partial<QueueEntryFields> {
  return { annotators: others(entry, annotator), ...nextRevision(entry) };
}

/** The annotator who takes back what they have done leaves what others have done; anyone else asks everybody again. */
function reopened(entry: QueueEntryFields, annotator: string): Partial<QueueEntryFields> {
  const isOwn = entry.annotator === annotator || isCompletedBy(entry, annotator);
  return isOwn ? { ...NOT_DONE, annotators: others(entry, annotator) } : NOT_DONE;
}

function others({ annotators = [] }: QueueEntryFields, annotator: string): readonly string[] {
  return annotators.filter((name) => name !== annotator);
}

interface PageQuery {
  readonly isDone?: boolean;
  readonly status?: QueueEventStatus;
  readonly limit: number;
  readonly offset: number;
}

/** Returns the query for the events of a queue, of which expired leases were ended. */
function selection(
  queue_id: string,
  { isDone, status }: Pick<PageQuery, 'isDone' | 'status'>,
  now: Date,
): Required<Pick<ListQuery, 'where' | 'orderBy'>> & { equals: Readonly<Record<string, Scalar>> } {
  const [queue, orderBy] = [{ queue_id, is_removed: false }, 'position'];
  const open = { ...queue, is_done: false };
  switch (status) {
    case undefined: {
      const equals = isDone === undefined ? queue : { ...queue, is_done: isDone };
      return { equals, where: [], orderBy };
    }
    case 'pending':
      return { equals: { ...open, lease_until: null }, where: [], orderBy };
    case 'leased': {
      const where = [{ field: 'lease_until', from: now.toISOString() }];
      return { equals: open, where, orderBy: 'lease_until' };
    }
    default: {
      const closed_as = status === 'skipped' ? status : null;
      return { equals: { ...queue, is_done: true, closed_as }, where: [], orderBy };
    }
  }
}

function isSet(entry: QueueEntryDocument, state: QueueEventState): boolean {
  return stateOf(entry) === state && (entry.lease_until ?? null) === null;
}

function present(entry: QueueEntryDocument | undefined): QueueEntryDocument | undefined {
  return entry?.is_removed ? undefined : entry;
}

function canonical(eventId: string): string {
  return isUuid(eventId) ? canonicalUuid(eventId) : eventId;
}

/** Returns the id of an event's entry in a queue. It contains a hash, because event ids may be any text. */
export function entryId(queueId: string, eventId: string): string {
  return `${queueId}:${createHash('sha256').update(canonical(eventId)).digest('base64url')}`;
}
