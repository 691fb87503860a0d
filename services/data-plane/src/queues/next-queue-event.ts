import type { nextQueueEvent, ResponseOf } from '@assay/contracts';
import type { QueueEntry, QueueLeaseResult } from '@assay/control-plane-client';
import { annotatorOfKey, type Caller } from '@assay/domain';
import { unavailable } from '@assay/errors';
import type { QueryOptions } from '@assay/event-store';
import type { Operation } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { countArrived, readOpenEntries, type QueueOfProject } from './arrived-entries.js';
import { leaseError } from './lease-result.js';
import { makeReadItems } from './queue-items.js';

/**
 * Leases the oldest open event of a queue that has arrived to an annotator. Concurrent requests get different events.
 * @throws AppError `NOT_FOUND`, `CONFLICT` when the annotator has too many leases, `UNAVAILABLE`: a lease may have begun
 */
export function makeNextQueueEvent(deps: DataPlaneDeps): Operation<typeof nextQueueEvent> {
  const leaseNext = makeLeaseNext(deps);
  return ({ params, body }, { caller, waitMs, signal }) =>
    respondAfterWait(deps, waitMs, async (): Promise<ResponseOf<typeof nextQueueEvent>> => {
      const { annotator = annotatorOfKey(caller.keyId) } = body;
      const queue = { projectId: caller.projectId, queueId: params.queue_id };
      return leaseNext({ queue, annotator, caller }, { signal });
    });
}

interface NextLease {
  readonly queue: QueueOfProject;
  readonly annotator: string;
  readonly caller: Caller;
}

/** An event that has not arrived cannot be reviewed: its lease ends, and one of those that have arrived is leased. */
function makeLeaseNext(deps: DataPlaneDeps) {
  const { controlPlane } = deps;
  const readItems = makeReadItems(deps);
  return async function leaseNext({ queue, annotator, caller }: NextLease, options: QueryOptions) {
    const lease = async (eventIds?: readonly string[]) => {
      const among = eventIds && { eventIds: [...eventIds] };
      const next = { ...queue, action: 'next', annotator, ...among } as const;
      const [leased, opened] = await Promise.allSettled([
        // Not ended with the request: it would be unknown what was leased.
        controlPlane.leaseQueueEvent(next),
        readOpenEntries(deps, queue, options),
      ]);
      const { entry, counts } = succeeded(valueOf(leased));
      try {
        const open = valueOf(opened);
        const item = entry && (await itemOf(entry));
        options.signal?.throwIfAborted();
        return { item, counts: countArrived(counts, open) };
      } catch (error) {
        if (entry) await endLease(entry);
        throw error;
      }
    };
    /** Ends a lease that the annotator does not learn of: the event would be kept from all others. One that cannot be ended runs out. */
    const endLease = ({ eventId }: QueueEntry) =>
      controlPlane
        .leaseQueueEvent({ ...queue, action: 'release', annotator, eventId })
        .catch(() => undefined);
    const itemOf = async (entry: QueueEntry) =>
      (await readItems(queue.queueId, [entry], caller, options))(entry);

    const first = await lease();
    if (first.item === null || 'event' in first.item) return first;
    const release = { ...queue, action: 'release', annotator, eventId: first.item.event_id } as const;
    const { counts } = succeeded(await controlPlane.leaseQueueEvent(release, options));
    const open = await readOpenEntries(deps, queue, options);
    const { arrived } = open;
    return arrived.length === 0 ? { item: null, counts: countArrived(counts, open) } : lease(arrived);
  };
}

function valueOf<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}

/** @throws AppError when the lease was not given or ended */
function succeeded(result: QueueLeaseResult) {
  const error = leaseError(result);
  if (error) throw error;
  const { entry, counts } = result;
  if (!counts) throw unavailable('invalid response from the control plane: a lease without counts');
  return { entry, counts };
}
