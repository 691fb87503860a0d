import { withChildren, type Event, type TreePlace } from '@assay/domain';
import type { EventStore } from '@assay/event-store';
import { makeWithRollups } from './with-rollups.js';

/**
 * Completes stored events with what others say of them: sessions with their roll-ups, all with their children. Both are computed when they are read, so
 * they are right after every redelivery, move, update and delete.
 */
export function makeCompleteEvents(deps: {
  store: Pick<EventStore, 'rollups' | 'childrenOf' | 'treePlacesOf'>;
}) {
  const withRollups = makeWithRollups(deps);
  const namedPlaces = makeNamedPlaces(deps);
  return async function completeEvents(
    projectId: string,
    events: readonly Event[],
  ): Promise<readonly Event[]> {
    if (events.length === 0) return events;
    const [rolledUp, below, named] = await Promise.all([
      withRollups(projectId, events),
      deps.store.childrenOf(projectId, events),
      namedPlaces(projectId, events),
    ]);
    return withChildren(rolledUp, [...below, ...named]);
  };
}

/** Where those events stand that clients have named as children; most name none. */
export function makeNamedPlaces({ store }: { store: Pick<EventStore, 'treePlacesOf'> }) {
  return async function namedPlaces(
    projectId: string,
    events: readonly Event[],
  ): Promise<readonly TreePlace[]> {
    const named = new Set(events.flatMap((event) => event.children_ids));
    return named.size === 0 ? [] : store.treePlacesOf(projectId, [...named]);
  };
}
