import type { backfillQueue } from '@assay/contracts';
import {
  acceptDateRange,
  decidesOnStored,
  filterMatcher,
  redactEvent,
  type Event,
  type Filter,
  type Redaction,
} from '@assay/domain';
import { notFound, validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import type { Steps } from '@assay/runtime';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

const MAX_PAGES_PER_CALL = 40;
/** Events per page. Whole events are held in memory, so this bounds it. */
const PAGE_SIZE = 250;

/**
 * Adds the stored events that match the filters of a queue. Filters are evaluated on the redacted event, so
 * that they reveal no more about a value than forwarding does; the store evaluates only those that decide on
 * stored events without revealing a value.
 * @throws AppError `NOT_FOUND`, `VALIDATION_ERROR` for a queue without filters, `UNAVAILABLE`
 */
export function makeBackfillQueue(deps: DataPlaneDeps): Operation<typeof backfillQueue> {
  return async ({ params, body }, context) => {
    const { signal } = context;
    const { projectId } = context.caller;
    const queue = { projectId, queueId: params.queue_id };
    const filters = await deps.controlPlane.queueFilters(queue, { signal });
    if (!filters) throw notFound('queue not found');
    if (filters.length === 0) throw validationError('the queue has no filters');
    // A fixed end keeps the pages stable while new events arrive.
    const { from, to = deps.now() } = acceptDateRange(body.dateRange, deps.now());
    const query = {
      from,
      to,
      filters: filters.filter((filter) => decidesOnStored(filter, deps.redaction)),
      limit: PAGE_SIZE,
      ordered: true,
    };
    let [examined, matched, page] = [0, 0, 0];
    for (; page < MAX_PAGES_PER_CALL; page++) {
      const paged = { ...query, offset: page * PAGE_SIZE };
      const { events } = await deps.store.search(projectId, paged, { signal });
      const ids = await context.runInTurns(matchingIdSteps(events, filters, deps.redaction));
      if (ids.length > 0 && !(await deps.controlPlane.addToQueue(queue, ids, { signal })))
        throw notFound('queue not found');
      [examined, matched] = [examined + events.length, matched + ids.length];
      if (events.length < PAGE_SIZE) return { matched, examined, complete: true };
    }
    return { matched, examined, complete: false };
  };
}

function* matchingIdSteps(
  events: readonly Event[],
  filters: readonly Filter[],
  redaction: Redaction,
): Steps<string[]> {
  const matches = filterMatcher(filters);
  const ids: string[] = [];
  for (const event of events) {
    if (matches(redactEvent(event, redaction))) ids.push(event.event_id);
    yield;
  }
  return ids;
}
