import type { nextQueueEvent, ResponseOf } from '@assay/contracts';
import { annotatorOfKey } from '@assay/domain';
import { unavailable } from '@assay/errors';
import type { Operation } from '@assay/http';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { leaseError } from './lease-result.js';
import { makeReadItems } from './queue-items.js';

/**
 * Leases the oldest open event of a queue to an annotator. Concurrent requests get different events.
 * @throws AppError `NOT_FOUND`, `CONFLICT` when the annotator has too many leases, `UNAVAILABLE`: a lease may have begun
 */
export function makeNextQueueEvent(deps: DataPlaneDeps): Operation<typeof nextQueueEvent> {
  const readItems = makeReadItems(deps);
  return ({ params, body }, { caller, waitMs, signal }) =>
    respondAfterWait(deps, waitMs, async (): Promise<ResponseOf<typeof nextQueueEvent>> => {
      const { annotator = annotatorOfKey(caller.keyId) } = body;
      const queue = { projectId: caller.projectId, queueId: params.queue_id };
      const result = await deps.controlPlane.leaseQueueEvent(
        { ...queue, action: 'next', annotator },
        { signal },
      );
      const error = leaseError(result);
      if (error) throw error;
      const { entry, counts } = result;
      if (!counts) throw unavailable('invalid response from the control plane: a lease without counts');
      if (!entry) return { item: null, counts };
      const toItem = await readItems(params.queue_id, [entry], caller, { signal });
      return { item: toItem(entry), counts };
    });
}
