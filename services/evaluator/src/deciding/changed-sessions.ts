import type { Event } from '@assay/domain';
import type { EventKey, StatesPort } from '@assay/event-store';
import { eventKey } from '@assay/log-readers';
import type { ChangedEvent } from './changed-events.js';

/** No legitimate chain of moves is longer. */
const MAX_CHAIN_LENGTH = 5;

interface ChangesOfBatch {
  readonly changed: readonly ChangedEvent[];
  /** The present states of those that exist. */
  readonly events: readonly Event[];
}

/** Returns the sessions whose composites may have changed: as {@link changedSessions}, of events with scores. */
export function sessionsToCombine(
  states: StatesPort,
  { changed, events }: ChangesOfBatch,
): Promise<EventKey[]> {
  const withScores = events.filter(({ metrics }) => Object.keys(metrics).length > 0);
  return changedSessions(states, { changed, events: withScores });
}

/**
 * Returns the sessions whose events have changed: those that have, or had, one of the events, those of deleted events, and
 * those that events were moved out of and into.
 */
export async function changedSessions(
  states: StatesPort,
  { changed, events }: ChangesOfBatch,
): Promise<EventKey[]> {
  const sessions = new Map<string, EventKey>();
  const add = (projectId: string, eventId: string) =>
    sessions.set(eventKey({ projectId, eventId }), { projectId, eventId });
  const named = new Map(changed.map((event) => [eventKey(event), event.namedSessions]));
  for (const { project_id: projectId, event_id: eventId, session_id: session } of events)
    for (const id of [session, ...(named.get(eventKey({ projectId, eventId })) ?? [])]) add(projectId, id);
  const deleted = changed.filter(({ isDeleted }) => isDeleted);
  const left = deleted.length === 0 ? [] : await states.sessionsOfEvents(deleted);
  const projectOf = new Map(deleted.map((event) => [eventKey(event), event.projectId]));
  for (const [key, ids] of left) for (const id of ids) add(projectOf.get(key) ?? '', id);
  for (const key of await moveTargets(states, changed)) add(key.projectId, key.eventId);
  return [...sessions.values()];
}

/** Returns the sessions that moves of the batch name, and those that these were moved to in turn. */
async function moveTargets(states: StatesPort, changed: readonly ChangedEvent[]): Promise<EventKey[]> {
  const found = new Map<string, EventKey>();
  let unseen = changed.flatMap(({ projectId, movedSessions }) =>
    [...movedSessions].map((eventId): EventKey => ({ projectId, eventId })),
  );
  for (let step = 0; step < MAX_CHAIN_LENGTH && unseen.length > 0; step++) {
    for (const key of unseen) found.set(eventKey(key), key);
    const flags = await states.changeFlags(unseen);
    unseen = unseen.flatMap(({ projectId, eventId }) => {
      const movedTo = flags.get(eventKey({ projectId, eventId }))?.movedTo;
      const next = { projectId, eventId: movedTo ?? eventId };
      return found.has(eventKey(next)) ? [] : next;
    });
  }
  return [...found.values()];
}
