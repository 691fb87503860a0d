import type { backfillQueue } from '@assay/contracts';
import {
  acceptDateRange,
  filterMatcher,
  redactEvent,
  type Event,
  type Filter,
  type Redaction,
} from '@assay/domain';
import { notFound, validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import type { DataPlaneDeps } from '../data-plane-deps.js';

/** Pages of one call, and events of a page: whole events are held at a time. */
const MAX_PAGES_PER_CALL = 40;
const PAGE = 250;

/**
 * Adds the stored events that match the filters of a queue. What matches is decided on the event as the control plane may see it, so that a filter
 * tells nobody more about a value than forwarding does; only filters on fields that nothing is redacted in are left to the store.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for a queue without filters, `UNAVAILABLE`
 */
export function makeBackfillQueue(deps: DataPlaneDeps): Operation<typeof backfillQueue> {
  return async ({ params, body }, { caller: { projectId } }) => {
    const queue = { projectId, queueId: params.queue_id };
    const filters = await deps.controlPlane.queueFilters(queue);
    if (!filters) throw notFound('queue not found');
    if (filters.length === 0) throw validationError('the queue has no filters');
    // A fixed end, so that events that arrive meanwhile do not move the pages.
    const { from, to = deps.now() } = acceptDateRange(body.dateRange, deps.now());
    const query = {
      from,
      to,
      filters: filters.filter((filter) => isSeenAsItIs(filter, deps.redaction)),
      limit: PAGE,
      ordered: true,
    };
    let [examined, matched, page] = [0, 0, 0];
    for (; page < MAX_PAGES_PER_CALL; page++) {
      const { events } = await deps.store.search(projectId, { ...query, offset: page * PAGE });
      const ids = matchingIds(events, filters, deps.redaction);
      if (ids.length > 0 && !(await deps.controlPlane.addToQueue(queue, ids)))
        throw notFound('queue not found');
      [examined, matched] = [examined + events.length, matched + ids.length];
      if (events.length < PAGE) return { matched, examined, complete: true };
    }
    return { matched, examined, complete: false };
  };
}

function isSeenAsItIs({ field }: Filter, { rules }: Redaction): boolean {
  const [root] = field.split('.');
  return ![...rules.keys()].some((redacted) => redacted === root);
}

function matchingIds(events: readonly Event[], filters: readonly Filter[], redaction: Redaction): string[] {
  const matches = filterMatcher(filters);
  return events.filter((event) => matches(redactEvent(event, redaction))).map((event) => event.event_id);
}
