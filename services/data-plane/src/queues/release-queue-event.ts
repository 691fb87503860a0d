import type { releaseQueueEvent } from '@assay/contracts';
import { annotatorOfKey } from '@assay/domain';
import { unavailable } from '@assay/errors';
import type { Operation } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { leaseError } from './lease-result.js';
import { toQueueEvent } from './queue-items.js';

/**
 * Ends the lease that an annotator has of an event. Without a lease it changes nothing.
 * @throws AppError `NOT_FOUND`, `CONFLICT` for the lease of another annotator, `UNAVAILABLE`
 */
export function makeReleaseQueueEvent({ controlPlane }: DataPlaneDeps): Operation<typeof releaseQueueEvent> {
  return async ({ params, query }, { caller, signal }) => {
    const { annotator = annotatorOfKey(caller.keyId) } = query;
    const { queue_id: queueId, event_id: eventId } = params;
    const result = await controlPlane.leaseQueueEvent(
      { projectId: caller.projectId, queueId, eventId, action: 'release', annotator },
      { signal },
    );
    const error = leaseError(result);
    if (error) throw error;
    if (!result.entry) throw unavailable('invalid response from the control plane: a lease without an entry');
    return toQueueEvent(result.entry);
  };
}
