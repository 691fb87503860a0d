import type { QueueEntry } from '@assay/control-plane-client';
import type { QueueEventState } from '@assay/domain';
import type { QueueEntryFields } from './queue-document.js';

/** Fields of an entry without a lease. */
export const NO_LEASE = { lease_annotator: null, lease_until: null };

/** Fields of an open entry. */
export const NOT_DONE = {
  is_done: false,
  done_at: null,
  done_by: null,
  closed_as: null,
  annotator: null,
  annotators: [],
  ...NO_LEASE,
} as const;

/** Returns the revision that follows a change of the state. */
export function nextRevision(entry: Pick<QueueEntryFields, 'revision'>): { revision: number } {
  return { revision: revisionOf(entry) + 1 };
}

export function revisionOf({ revision = 0 }: Pick<QueueEntryFields, 'revision'>): number {
  return revision;
}

export function stateOf({ is_done, closed_as }: QueueEntryFields): QueueEventState {
  if (!is_done) return 'pending';
  return closed_as === 'skipped' ? 'skipped' : 'done';
}

/** Returns whether the annotator has completed the entry. */
export function isCompletedBy({ annotators = [] }: QueueEntryFields, annotator: string): boolean {
  return annotators.includes(annotator);
}

/** Returns the lease of an open entry; null when there is none, or it has ended. */
export function leaseOf(
  { is_done, lease_annotator: annotator, lease_until: endsAt }: QueueEntryFields,
  now: Date,
): QueueEntry['lease'] {
  const isLeased = !is_done && typeof annotator === 'string' && typeof endsAt === 'string';
  return isLeased && endsAt >= now.toISOString() ? { annotator, until: endsAt } : null;
}

/** Returns the entry in the format of the internal API. */
export function toQueueEntry(entry: QueueEntryFields, now: Date): QueueEntry {
  const lease = leaseOf(entry, now);
  return {
    eventId: entry.event_id,
    addedAt: entry.added_at,
    done: entry.is_done,
    doneAt: entry.done_at,
    status: lease ? 'leased' : stateOf(entry),
    lease,
    annotator: entry.annotator ?? null,
    ...(entry.annotators && entry.annotators.length > 0 && { annotators: entry.annotators }),
    doneBy: entry.done_by,
    version: revisionOf(entry),
  };
}
