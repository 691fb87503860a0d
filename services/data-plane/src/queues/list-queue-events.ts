import type { ResponseOf, listQueueEvents } from '@assay/contracts';
import { notFound } from '@assay/errors';
import { mapItems, streamJson, type Operation } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import { countArrived, readOpenEntries } from './arrived-entries.js';
import { makeReadItems } from './queue-items.js';

/** Events per page when the request names no limit. */
const DEFAULT_LIMIT = 100;

/**
 * Lists the events of a queue with their values. The control plane holds the entries of the queue, the event
 * store of the data plane holds the events.
 * @throws AppError `NOT_FOUND`, `UNAVAILABLE` when the control plane is unreachable
 */
export function makeListQueueEvents(deps: DataPlaneDeps): Operation<typeof listQueueEvents> {
  const readItems = makeReadItems(deps);
  return ({ params, query }, context) => {
    const { caller, waitMs, signal } = context;
    return respondAfterWait(deps, waitMs, async () => {
      const { limit = DEFAULT_LIMIT, page = 1, done: isDone, status } = query;
      const queue = { projectId: caller.projectId, queueId: params.queue_id };
      const entries = { ...queue, isDone, status, limit, offset: (page - 1) * limit };
      const found = await deps.controlPlane.queueEntries(entries, { signal });
      if (!found) throw notFound('queue not found');
      const toItem = await readItems(params.queue_id, found.entries, caller, { signal });
      return streamJson<ResponseOf<typeof listQueueEvents>>({
        events: mapItems(found.entries, toItem),
        total: found.total,
        counts: countArrived(found.counts, await readOpenEntries(deps, queue, { signal })),
      });
    });
  };
}
