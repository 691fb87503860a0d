import {
  parseObjectText,
  withChildren,
  withTotals,
  type Event,
  type StoredEvent,
  type TreePlace,
} from '@assay/domain';
import type {
  DerivedValues,
  EventsPort,
  SessionsPort,
  QueryOptions,
  SessionRollup,
  StoredEvents,
} from '@assay/event-store';

/**
 * Returns a function that completes stored events with what is derived from other events: the roll-ups of
 * sessions and the children of all events. Both are computed on read, so they are correct after every
 * redelivery, move, update and delete. `derived` holds them if they were read with the events.
 */
export function makeCompleteEvents(deps: {
  store: { readonly events: EventsPort; readonly sessions: SessionsPort };
}) {
  const treePlacesOfNamed = makeTreePlacesOfNamed(deps);
  return async function completeEvents(
    projectId: string,
    { events, derived }: ReadEvents,
    options?: QueryOptions,
  ): Promise<readonly Event[]> {
    if (events.length === 0) return events;
    const [{ rollups, children }, named] = await Promise.all([
      derived ?? deps.store.events.derivedOf(projectId, events, options),
      derived?.named ?? treePlacesOfNamed(projectId, events, options),
    ]);
    return withChildren(addTotals(events, rollups), [...children, ...named]);
  };
}

/** The same for events whose open objects are texts, and for which everything was read that is derived. */
export function completeStoredEvents({ events, derived }: StoredEvents): readonly StoredEvent[] {
  const { rollups, children = [], named = [] } = derived ?? {};
  const completed = events.map((event) =>
    event.event_type === 'session' ? withStoredTotals(event, rollups?.get(event.session_id)) : event,
  );
  return withChildren(completed, [...children, ...named]);
}

function withStoredTotals(session: StoredEvent, rollup: SessionRollup | undefined): StoredEvent {
  const totalled = withTotals({ ...session, metadata: parseObjectText(session.metadata) }, rollup);
  return { ...totalled, metadata: JSON.stringify(totalled.metadata) };
}

/** Events as a store returns them, with what is derived for them if that was read, too. */
interface ReadEvents {
  readonly events: readonly Event[];
  readonly derived?: DerivedValues;
}

/** Returns a function that looks up the events that clients have named as children; most events name none. */
export function makeTreePlacesOfNamed({ store }: { store: { readonly sessions: SessionsPort } }) {
  return async function treePlacesOfNamed(
    projectId: string,
    events: readonly Event[],
    options?: QueryOptions,
  ): Promise<readonly TreePlace[]> {
    const named = new Set(events.flatMap((event) => event.children_ids));
    return named.size === 0 ? [] : store.sessions.treePlacesOf(projectId, [...named], options);
  };
}

/** Returns a function that adds the roll-ups of their events to sessions; other events pass unchanged. */
export function makeWithRollups(deps: { store: { readonly sessions: SessionsPort } }) {
  return async function withRollups(
    projectId: string,
    events: readonly Event[],
    options?: QueryOptions,
  ): Promise<readonly Event[]> {
    const sessions = events.filter((event) => event.event_type === 'session');
    if (sessions.length === 0) return events;
    const rollups = await deps.store.sessions.rollups(
      projectId,
      sessions.map((session) => session.session_id),
      options,
    );
    return addTotals(events, rollups);
  };
}

/** Adds the roll-ups of their events to sessions; other events pass unchanged. */
export function addTotals(
  events: readonly Event[],
  rollups: ReadonlyMap<string, SessionRollup>,
): readonly Event[] {
  return events.map((event) =>
    event.event_type === 'session' ? withTotals(event, rollups.get(event.session_id)) : event,
  );
}
