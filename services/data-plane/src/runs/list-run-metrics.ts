import type { listRunMetrics, ResponseOf } from '@assay/contracts';
import {
  acceptDateRange,
  isExplanation,
  type JsonObject,
  type RunRules,
  type RunSession,
} from '@assay/domain';
import type { Operation } from '@assay/http';
import { respondWhenCurrent } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { loadRuns, readRunSessions, type RunWithEvents } from './load-runs.js';
import { acceptSentFilters } from '../shared/accept-sent-filters.js';

type ScoredEvent = ResponseOf<typeof listRunMetrics>['events'][number];

/** Lists the events of a run that have scores, session by session. */
export function makeListRunMetrics(deps: DataPlaneDeps): Operation<typeof listRunMetrics> {
  return ({ params, query }, { caller, waitMs, signal }) => {
    const range = acceptDateRange(query.dateRange, deps.now());
    const selection = { ...range, filters: acceptSentFilters(query.filters) };
    return respondWhenCurrent(
      deps,
      waitMs,
      () => loadRuns(deps, caller.projectId, [params.run_id]),
      async (loaded) => {
        const found = await readRunSessions(deps, loaded, selection, { signal });
        const events = found.flatMap(scoredEvents);
        return { events, totalEvents: events.length };
      },
    );
  };
}

/** An event without a datapoint of its own has that of its session. */
function scoredEvents({ sessions, rules }: RunWithEvents): ScoredEvent[] {
  return sessions.flatMap((session) => scoredEventsOf(session, rules));
}

function scoredEventsOf(session: RunSession, rules: RunRules): ScoredEvent[] {
  return session.events.flatMap((event) => {
    const metrics = scoresOf(event.metrics, rules);
    if (!event.isSelected || Object.keys(metrics).length === 0) return [];
    const datapoint_id = event.datapointId === '' ? session.datapointId : event.datapointId;
    return [
      {
        event_id: event.eventId,
        event_name: event.eventName,
        event_type: event.eventType,
        session_id: event.sessionId,
        metadata: datapoint_id === undefined ? {} : { datapoint_id },
        metrics,
      },
    ];
  });
}

function scoresOf(metrics: JsonObject, rules: RunRules): JsonObject {
  return Object.fromEntries(
    Object.entries(metrics).filter(
      ([name, value]) =>
        (typeof value === 'number' || typeof value === 'boolean') && !isExplanation(name, rules.metrics),
    ),
  );
}
