import { compile, searchEventsRequest, type ResponseOf, type searchEvents } from '@assay/contracts';
import { acceptDateRange, acceptFilters, toWireEvent } from '@assay/domain';
import { mapItems, streamJson, type Operation } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import { makeCompleteEvents } from '../sessions/complete-events.js';
import { membersOfNamedRun } from '../shared/run-members.js';
import { sentFilters } from './sent-filters.js';

/** Events per page when the request names no limit. */
const DEFAULT_LIMIT = 1000;
const checkRequest = compile(searchEventsRequest);

/** Searches events, newest start first. `count` is the number of all matching events. */
export function makeSearchEvents(deps: DataPlaneDeps): Operation<typeof searchEvents> {
  const completeEvents = makeCompleteEvents(deps);
  return ({ body }, context) => {
    const { caller, waitMs } = context;
    const sent = sentFilters(body.filters, (filters) => checkRequest({ filters }).filters);
    const filters = acceptFilters(sent, 'strict');
    const range = acceptDateRange(body.dateRange, deps.now());
    const { limit = DEFAULT_LIMIT, page = 1 } = body;
    return respondAfterWait(deps, waitMs, async () => {
      const { signal } = context;
      const runs = await membersOfNamedRun(deps, caller.projectId, body.evaluation_id);
      const query = { filters, ...range, runs, limit, offset: (page - 1) * limit, ordered: true };
      const found = await deps.store.events.search(caller.projectId, query, { signal, withDerived: true });
      const events = await completeEvents(caller.projectId, found, { signal });
      const project = { name: caller.projectName };
      return streamJson<ResponseOf<typeof searchEvents>>({
        events: mapItems(events, (event) => toWireEvent(event, project)),
        count: found.total,
        totalEvents: found.total,
      });
    });
  };
}
