import type { QueueLease, QueueLeaseResult } from '@assay/control-plane-client';
import type { Document, ListQuery, Scalar } from '@assay/document-store';
import { mapInBatches } from '../shared/map-in-batches.js';
import type { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import { LOST, retryWhileLost } from '../shared/update-with-retry.js';
import { isCompletedBy, leaseOf, NO_LEASE, revisionOf, stateOf } from './queue-entry-state.js';
import type { QueueEntryFields } from './queue-document.js';

type Entry = Document<QueueEntryFields>;
/** What happened to a lease, and the entry afterwards. */
export interface LeaseOutcome {
  readonly outcome: QueueLeaseResult['outcome'];
  readonly entry?: Entry;
}

const LEASE_MS = 10 * 60_000;
/** Leases of one annotator in a project: some items ahead, but no queue that one annotator holds alone. */
const MAX_LEASES = 10;
/** Open events read together: as many concurrent callers find one each without reading again. */
const CANDIDATES = 50;
/** Open events that an annotator may have completed, while they wait for others. */
const MAX_EXAMINED = 10_000;
const PAGE = 1_000;
const MAX_EXPIRED = 1_000;

/** Leases of the events in the queues of one project. */
export class QueueLeases {
  constructor(
    private readonly entries: ProjectScopedCollection<QueueEntryFields>,
    private readonly now: () => Date,
  ) {}

  /** Ends leases whose time is over: of one queue, at most 1,000. */
  async endExpired(queueId: string): Promise<void> {
    const equals = { queue_id: queueId, is_removed: false, is_done: false };
    const to = this.now().toISOString();
    const where = [{ field: 'lease_until', from: '', to }];
    const expired = await this.entries.page({ equals, where, orderBy: 'lease_until' }, MAX_EXPIRED);
    await mapInBatches(expired, async (entry) => {
      if (!leaseOf(entry, this.now())) await this.entries.replace({ ...entry, ...NO_LEASE });
    });
  }

  /**
   * Leases the oldest open event of a queue, or of these, that the annotator has not completed. Concurrent callers get different events. Without an open event there is no
   * entry. @throws AppError `CONFLICT` after ten attempts
   */
  async next(
    queueId: string,
    { annotator, eventIds }: Pick<QueueLease, 'annotator' | 'eventIds'>,
  ): Promise<LeaseOutcome> {
    if ((await this.count(annotator)) >= MAX_LEASES) return { outcome: 'too_many' };
    await this.endExpired(queueId);
    const equals = { queue_id: queueId, is_removed: false, is_done: false, lease_until: null };
    const where = eventIds ? [{ field: 'event_id', in: eventIds }] : [];
    const open = { equals, where, orderBy: 'position' };
    const entry = await retryWhileLost(() => this.leaseFirst(open, annotator));
    // Concurrent calls of one annotator may all have counted before one of them had its lease.
    if (!entry || (await this.count(annotator)) <= MAX_LEASES) return { outcome: 'ok', entry };
    await this.entries.replace({ ...entry, ...NO_LEASE });
    return { outcome: 'too_many' };
  }

  /** Returns undefined when none is left, and LOST when others have leased some meanwhile. */
  private async leaseFirst(
    open: Pick<ListQuery, 'orderBy' | 'where'> & { equals: Readonly<Record<string, Scalar>> },
    annotator: string,
  ): Promise<Entry | undefined | typeof LOST> {
    let lost = false;
    for (let offset = 0, size = CANDIDATES; offset < MAX_EXAMINED; offset += size, size = PAGE) {
      const page = await this.entries.page({ ...open, offset }, size);
      for (const candidate of page) {
        if (isCompletedBy(candidate, annotator)) continue;
        const leased = await this.entries.replace({ ...candidate, ...this.lease(annotator) });
        if (leased) return leased;
        lost = true;
      }
      if (lost) return LOST;
      if (page.length < size) return undefined;
    }
    return undefined;
  }

  /**
   * Leases an event to write to it. A version that is not that of the entry is stale, except the one before when the
   * same annotator has set the same state: a repeated request.
   */
  async hold(id: string, { annotator, version, status }: QueueLease): Promise<LeaseOutcome> {
    return this.change(id, (entry) => {
      const lease = leaseOf(entry, this.now());
      if (lease && lease.annotator !== annotator) return 'leased_by_other';
      const hasSet = entry.annotator === annotator && stateOf(entry) === status;
      const hasCompleted = status === 'done' && entry.annotators?.at(-1) === annotator;
      const isRepeated = version === revisionOf(entry) - 1 && (hasSet || hasCompleted);
      const isCurrent = version === undefined || version === revisionOf(entry) || isRepeated;
      return isCurrent ? this.lease(annotator) : 'stale';
    });
  }

  /** Ends the lease of an event. Without one it changes nothing. */
  async release(id: string, { annotator }: QueueLease): Promise<LeaseOutcome> {
    return this.change(id, (entry) => {
      const lease = leaseOf(entry, this.now());
      return lease && lease.annotator !== annotator ? 'leased_by_other' : NO_LEASE;
    });
  }

  private async change(
    id: string,
    decide: (entry: Entry) => LeaseOutcome['outcome'] | Partial<QueueEntryFields>,
  ): Promise<LeaseOutcome> {
    return retryWhileLost(async () => {
      const entry = await this.entries.get(id);
      if (!entry || entry.is_removed) return { outcome: 'no_event' };
      const decided = decide(entry);
      if (typeof decided === 'string') return { outcome: decided };
      const replaced = await this.entries.replace({ ...entry, ...decided });
      return replaced ? { outcome: 'ok', entry: replaced } : LOST;
    });
  }

  private lease(annotator: string) {
    const lease_until = new Date(this.now().getTime() + LEASE_MS).toISOString();
    return { lease_annotator: annotator, lease_until };
  }

  private count(annotator: string): Promise<number> {
    const from = this.now().toISOString();
    return this.entries.count({ lease_annotator: annotator }, [{ field: 'lease_until', from }]);
  }
}
