import type { searchEvents } from '@assay/contracts';
import { acceptDateRange, acceptFilters, toWireEvent } from '@assay/domain';
import type { Operation } from '@assay/http';
import type { DataPlaneDeps } from '../data-plane-deps.js';
import { respondAfterWait } from '../readers/respond-after-wait.js';
import { makeCompleteEvents } from '../sessions/complete-events.js';
import { ofRun } from './run-filter.js';

/** Events per page when the request does not say. */
const DEFAULT_LIMIT = 1000;

/** Finds events, newest start first. `count` is the number of all that match. */
export function makeSearchEvents(deps: DataPlaneDeps): Operation<typeof searchEvents> {
  const completeEvents = makeCompleteEvents(deps);
  return ({ body }, { caller, waitMs }) => {
    const filters = acceptFilters([...(body.filters ?? []), ...ofRun(body.evaluation_id)], 'strict');
    const range = acceptDateRange(body.dateRange, deps.now());
    const { limit = DEFAULT_LIMIT, page = 1 } = body;
    return respondAfterWait(deps, waitMs, async () => {
      const found = await deps.store.search(caller.projectId, {
        filters,
        ...range,
        limit,
        offset: (page - 1) * limit,
        ordered: true,
      });
      const events = await completeEvents(caller.projectId, found.events);
      const project = { name: caller.projectName };
      return {
        events: events.map((event) => toWireEvent(event, project)),
        count: found.total,
        totalEvents: found.total,
      };
    });
  };
}
