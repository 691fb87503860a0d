import { MATCHED_AMONG } from '@assay/contracts';
import {
  acceptFilters,
  NEWEST_FIRST,
  type DeployedMetric,
  type Event,
  type EventPosition,
  type JsonObject,
  type SessionTotals,
} from '@assay/domain';
import type {
  EventKey,
  EventRowsQuery,
  EventState,
  StatesPort,
  EventsPort,
  SessionsPort,
} from '@assay/event-store';
import { eventKey, splitBySize } from '@assay/log-readers';

export interface TriedEventStore {
  readonly states: StatesPort;
  readonly events: EventsPort;
  readonly sessions: SessionsPort;
}

/** How many of the newest events match a metric, and the newest ones that do. */
export interface NewestMatches {
  readonly matched: { readonly events: number; readonly of: number };
  readonly eventIds: readonly string[];
}

/** A stored event, and for a session the metrics and the totals of its events. */
export interface LoadedEvent {
  readonly event: Event;
  readonly sessionMetrics?: readonly JsonObject[];
  /** Absent for a session without events, too. */
  readonly totals?: SessionTotals;
}

interface Scope {
  readonly projectId: string;
  readonly signal: AbortSignal;
}

const PAGE = 500;

/** Counts the events that match among the newest 1,000, and returns the ids of the newest `limit` of them. */
export async function newestMatches(
  store: TriedEventStore,
  { filters }: Pick<DeployedMetric, 'filters'>,
  { projectId, signal, limit }: Scope & { readonly limit: number },
): Promise<NewestMatches> {
  const { from, of } = await newestRange(store, { projectId, signal });
  if (of === 0) return { matched: { events: 0, of }, eventIds: [] };
  const query: EventRowsQuery = {
    ...pageOf({ limit }),
    filters: acceptFilters(filters.filterArray, 'lenient'),
    ...(from !== undefined && { from }),
    count: 'bounded',
  };
  const { rows, count } = await store.events.rows(projectId, query, { signal });
  // Several events can begin with the oldest of them.
  const events = Math.min(count?.value ?? rows.length, of);
  return { matched: { events, of }, eventIds: rows.map(({ position }) => position.eventId) };
}

/** Returns the start of the oldest of the newest 1,000 events, and their number. */
async function newestRange(store: TriedEventStore, { projectId, signal }: Scope) {
  let after: EventPosition | undefined;
  let of = 0;
  while (of < MATCHED_AMONG) {
    const query = { ...pageOf({ limit: PAGE }), ...(after && { after }) };
    const { rows, hasMore } = await store.events.rows(projectId, query, { signal });
    of += rows.length;
    after = rows.at(-1)?.position ?? after;
    if (!hasMore || rows.length === 0) break;
  }
  return { from: after?.value ?? undefined, of };
}

function pageOf({ limit }: { readonly limit: number }): EventRowsQuery {
  return { filters: [], sort: NEWEST_FIRST, limit, previewChars: 0, payloadPaths: [], count: 'none' };
}

/** Loads events in parts of a bounded size, in the order of their ids; unknown ones are left out. */
export async function* loadTriedEvents(
  store: TriedEventStore,
  eventIds: readonly string[],
  { projectId, signal }: Scope,
): AsyncGenerator<readonly LoadedEvent[]> {
  const items = eventIds.map((eventId): EventKey => ({ projectId, eventId }));
  for (const part of await splitBySize(store.states, { items, toLoad: (key) => key })) {
    const states = await store.states.read(part, { signal });
    const events = part.flatMap((key) => visible(states.get(eventKey(key))));
    const sessions = events.filter(({ event_type: type }) => type === 'session');
    const ofSessions = await store.sessions.metrics(
      sessions.map(({ event_id: eventId }) => ({ projectId, eventId })),
    );
    const sessionIds = sessions.map(({ session_id: id }) => id);
    const ofEvents = await store.sessions.rollups(projectId, sessionIds, { signal });
    yield events.map((event) => {
      const sessionMetrics = ofSessions.get(eventKey({ projectId, eventId: event.event_id }));
      const totals = event.event_type === 'session' ? ofEvents.get(event.session_id) : undefined;
      return { event, ...(sessionMetrics && { sessionMetrics }), ...(totals && { totals }) };
    });
  }
}

function visible(state: EventState | undefined): Event[] {
  return state?.event && !state.changes?.deleted ? [state.event] : [];
}
