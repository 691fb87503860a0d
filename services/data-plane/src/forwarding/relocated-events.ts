import type { EventRecord } from '@assay/contracts';
import type { ForwardedEvent } from '@assay/control-plane-client';
import type { EventKey, EventState, StatesPort } from '@assay/event-store';
import { eventKey } from '@assay/log-readers';
import { locatedRowOfEvent, referencedIds } from '../relocation/located-row.js';
import { readMove } from '../shared/consumed-event-record.js';

/** A forwarded event, with its stored version. */
export type StoredEvent = NonNullable<EventState['event']>;

/**
 * Returns the events that another reader has relocated since their states were read. It is called after they were
 * sent: a reader that relocates events forwards them after it has written the flags that are read here, so of two
 * that send one event, the later one sends its new location.
 */
export async function relocatedSince(
  sent: readonly StoredEvent[],
  states: StatesPort,
): Promise<readonly EventKey[]> {
  const ids = referencedIds(sent.map(locatedRowOfEvent), []);
  if (ids.length === 0) return [];
  const flags = await states.changeFlags(ids);
  const isMoved = (projectId: string, eventId: string | null) =>
    eventId !== null && flags.get(eventKey({ projectId, eventId }))?.movedTo !== undefined;
  const candidates = sent.filter(
    ({ project_id, session_id, parent_id }) =>
      isMoved(project_id, session_id) || isMoved(project_id, parent_id),
  );
  if (candidates.length === 0) return [];
  const found = await states.read(candidates.map(keyOf));
  return candidates.filter((event) => isElsewhere(event, found.get(eventKey(keyOf(event))))).map(keyOf);
}

function isElsewhere(sent: StoredEvent, state: EventState | undefined): boolean {
  const event = state?.event;
  return event !== undefined && (event.session_id !== sent.session_id || event.parent_id !== sent.parent_id);
}

function keyOf({ project_id: projectId, event_id: eventId }: StoredEvent): EventKey {
  return { projectId, eventId };
}

/**
 * Returns the deletes of events that moves have removed, so that they leave the queues: synthesised sessions, and
 * log events whose span set an event id of its own.
 */
export async function removedByMoves(
  moves: readonly EventRecord[],
  states: StatesPort,
): Promise<readonly ForwardedEvent[]> {
  const sessions = moves.filter((move) => readMove(move).sessions === undefined);
  const spans = moves.filter((move) => readMove(move).sessions !== undefined);
  // Most spans that set an id have no log events, so that no row was ever stored under the other id.
  const stored = spans.length === 0 ? undefined : await states.sessionsOfEvents(spans);
  const candidates = [...sessions, ...spans.filter((span) => stored?.has(eventKey(span)))];
  if (candidates.length === 0) return [];
  const found = await states.read(candidates);
  return [...found.values()].flatMap(({ event, changes }) =>
    event !== undefined || changes?.movedTo === undefined || changes.deleted
      ? []
      : {
          kind: 'delete' as const,
          version: changes.version,
          projectId: changes.projectId,
          eventId: changes.eventId,
          isMoved: true as const,
        },
  );
}
