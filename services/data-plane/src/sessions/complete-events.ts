import { withChildren, type Event, type JsonObject, type TreePlace } from '@assay/domain';
import type { EventStore, QueryOptions, SessionRollup } from '@assay/event-store';

/**
 * Returns a function that completes stored events with what is derived from other events: the roll-ups of
 * sessions and the children of all events. Both are computed on read, so they are correct after every
 * redelivery, move, update and delete.
 */
export function makeCompleteEvents(deps: {
  store: Pick<EventStore, 'rollups' | 'childrenOf' | 'treePlacesOf'>;
}) {
  const withRollups = makeWithRollups(deps);
  const treePlacesOfNamed = makeTreePlacesOfNamed(deps);
  return async function completeEvents(
    projectId: string,
    events: readonly Event[],
    options?: QueryOptions,
  ): Promise<readonly Event[]> {
    if (events.length === 0) return events;
    const [rolledUp, below, named] = await Promise.all([
      withRollups(projectId, events, options),
      deps.store.childrenOf(projectId, events, options),
      treePlacesOfNamed(projectId, events, options),
    ]);
    return withChildren(rolledUp, [...below, ...named]);
  };
}

/** Returns a function that looks up the events that clients have named as children; most events name none. */
export function makeTreePlacesOfNamed({ store }: { store: Pick<EventStore, 'treePlacesOf'> }) {
  return async function treePlacesOfNamed(
    projectId: string,
    events: readonly Event[],
    options?: QueryOptions,
  ): Promise<readonly TreePlace[]> {
    const named = new Set(events.flatMap((event) => event.children_ids));
    return named.size === 0 ? [] : store.treePlacesOf(projectId, [...named], options);
  };
}

/** Returns a function that adds the roll-ups of their events to sessions; other events pass unchanged. */
export function makeWithRollups(deps: { store: Pick<EventStore, 'rollups'> }) {
  return async function withRollups(
    projectId: string,
    events: readonly Event[],
    options?: QueryOptions,
  ): Promise<readonly Event[]> {
    const sessions = events.filter((event) => event.event_type === 'session');
    if (sessions.length === 0) return events;
    const rollups = await deps.store.rollups(
      projectId,
      sessions.map((session) => session.session_id),
      options,
    );
    return events.map((event) =>
      event.event_type === 'session' ? withRollup(event, rollups.get(event.session_id)) : event,
    );
  };
}

function withRollup(session: Event, rollup: SessionRollup | undefined): Event {
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
