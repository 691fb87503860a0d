import type { EventState, StatesPort, StateKey } from '@assay/event-store';

/** Where the states of events are looked up. */
export interface StateSource<K extends StateKey> {
  readonly store: { readonly states: StatesPort };
  /** Returns the cached state of `projectId/eventId` when it is recent enough for what is wanted. */
  readonly cached: (key: string, wanted: K) => EventState | undefined;
  /** Returns false for events that the store cannot hold; they are not looked up. */
  readonly mayBeStored?: (wanted: K) => boolean;
}

/**
 * Returns the states of events by `projectId/eventId`: from the cache where possible, all others in one read.
 */
export async function loadStates<K extends StateKey>(
  wanted: ReadonlyMap<string, K>,
  { store, cached, mayBeStored = () => true }: StateSource<K>,
): Promise<Map<string, EventState>> {
  const states = new Map<string, EventState>();
  const missing: StateKey[] = [];
  for (const [key, one] of wanted) {
    const recent = cached(key, one);
    if (recent) states.set(key, recent);
    else if (mayBeStored(one)) missing.push(stateKey(one));
  }
  if (missing.length > 0) for (const [key, state] of await store.states.read(missing)) states.set(key, state);
  return states;
}

function stateKey({ projectId, eventId, withoutPayload }: StateKey): StateKey {
  return { projectId, eventId, ...(withoutPayload && { withoutPayload }) };
}
