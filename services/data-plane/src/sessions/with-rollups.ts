import type { Event, JsonObject } from '@assay/domain';
import type { EventStore, SessionRollup } from '@assay/event-store';

/**
 * Completes sessions with what their events add up to. Roll-ups are computed when they are read, so that they are right after every
 * redelivery, update and delete. Other events pass unchanged.
 */
export function makeWithRollups(deps: { store: Pick<EventStore, 'rollups'> }) {
  return async function withRollups(projectId: string, events: readonly Event[]): Promise<readonly Event[]> {
    const sessions = events.filter((event) => event.event_type === 'session');
    if (sessions.length === 0) return events;
    const rollups = await deps.store.rollups(
      projectId,
      sessions.map((session) => session.session_id),
    );
    return events.map((event) =>
      event.event_type === 'session' ? rolledUp(event, rollups.get(event.session_id)) : event,
    );
  };
}

function rolledUp(session: Event, rollup: SessionRollup | undefined): Event {
  const metadata: JsonObject = { ...session.metadata, ...metadataOf(rollup) };
  if (session.origin === 'sent' || rollup?.firstStart === undefined) return { ...session, metadata };
  const start_time = Math.min(session.start_time, rollup.firstStart);
  const end_time = Math.max(session.end_time ?? start_time, rollup.lastEnd ?? start_time);
  return { ...session, metadata, start_time, end_time, duration: end_time - start_time };
}

function metadataOf(rollup: SessionRollup | undefined): JsonObject {
  if (!rollup) return { num_events: 0, num_model_events: 0 };
  return {
    num_events: rollup.numEvents,
    num_model_events: rollup.numModelEvents,
    has_feedback: rollup.hasFeedback,
    cost: rollup.cost,
    total_tokens: rollup.totalTokens,
    prompt_tokens: rollup.promptTokens,
    completion_tokens: rollup.completionTokens,
  };
}
