import { MAX_EVENT_PAIRS } from '@assay/contracts';
import type { compareRunEvents, compareRunEventsByQuery, CompareRunEventsQuery } from '@assay/contracts';
import { acceptFilters, pairRunEvents, toWireEvent } from '@assay/domain';
import type { Caller, Event, Filter, FilterInput, JsonObject } from '@assay/domain';
import type { QueryOptions } from '@assay/event-store';
import type { Operation, RequestContext } from '@assay/http';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import { makeCompleteEvents } from '../sessions/complete-events.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { loadRuns, readRunSessions } from './load-runs.js';

/** Pairs the events of two runs by datapoint. */
export function makeCompareRunEvents(deps: DataPlaneDeps): Operation<typeof compareRunEvents> {
  const comparePage = makeComparePage(deps);
  return ({ params, query }, context) => comparePage([params.new_run_id, params.old_run_id], query, context);
}

/** As {@link makeCompareRunEvents}, with the runs in the query string: `run_id_1` is the new one. */
export function makeCompareRunEventsByQuery(deps: DataPlaneDeps): Operation<typeof compareRunEventsByQuery> {
  const comparePage = makeComparePage(deps);
  return ({ query }, context) => comparePage([query.run_id_1, query.run_id_2], query, context);
}

function makeComparePage(deps: DataPlaneDeps) {
  const readEvents = makeReadEvents(deps);
  return (runIds: readonly string[], query: CompareRunEventsQuery, context: RequestContext<Caller>) => {
    const { caller, waitMs, signal } = context;
    const filters = filtersOf(query);
    const { limit = MAX_EVENT_PAIRS, page = 1 } = query;
    return respondWhenCurrent(
      deps,
      waitMs,
      () => loadRuns(deps, caller.projectId, runIds),
      async (loaded) => {
        const [newRun, oldRun] = await readRunSessions(deps, loaded, { filters }, { signal });
        const pairs = pairRunEvents(oldRun?.sessions ?? [], newRun?.sessions ?? []);
        const pagePairs = pairs.slice((page - 1) * limit, page * limit);
        const ids = pagePairs.flatMap(({ newEventId, oldEventId }) => [newEventId, oldEventId]);
        const byId = await readEvents(caller, ids, { signal });
        return {
          events: pagePairs.flatMap(({ datapointId: datapoint_id, newEventId, oldEventId }) => {
            const [event_1, event_2] = [byId.get(newEventId), byId.get(oldEventId)];
            return event_1 && event_2 ? [{ datapoint_id, event_1, event_2 }] : [];
          }),
          totalEvents: pairs.length,
        };
      },
    );
  };
}

/** Conditions of the request. Each path of `filter` must equal its value. */
function filtersOf({ event_name, event_type, filter }: CompareRunEventsQuery): Filter[] {
  const named: JsonObject = {
    ...(event_name !== undefined && { event_name }),
    ...(event_type !== undefined && { event_type }),
  };
  return [
    ...acceptFilters(equalities(named), 'lenient'),
    ...acceptFilters(equalities(filter ?? {}), 'lenient', 'filter'),
  ];
}

function equalities(values: JsonObject): FilterInput[] {
  return Object.entries(values).map(([field, value]) => ({ field, operator: 'is', value }));
}

/** Returns a function that reads complete events by id, as the API returns them. */
function makeReadEvents(deps: DataPlaneDeps) {
  const completeEvents = makeCompleteEvents(deps);
  return async ({ projectId, projectName: name }: Caller, sent: readonly string[], options: QueryOptions) => {
    const ids = [...new Set(sent)];
    if (ids.length === 0) return new Map<string, ReturnType<typeof toWireEvent>>();
    const filters = [{ field: 'event_id', operator: 'in', type: 'string', value: ids }] as const;
    const query = { filters, limit: ids.length, offset: 0, ordered: false };
    const found = await deps.store.events.search(projectId, query, { ...options, withDerived: true });
    const completed: readonly Event[] = await completeEvents(projectId, found, options);
    return new Map(completed.map((event) => [event.event_id, toWireEvent(event, { name })]));
  };
}
