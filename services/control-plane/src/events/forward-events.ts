import type { ControlPlane, ForwardedSession } from '@assay/control-plane-client';
import { upsertSessions } from '../sessions/upsert-sessions.js';
import { chunks } from '../shared/chunks.js';
import { BATCH_SIZE, eventDocumentId } from '../shared/forwarded-documents.js';
import { makeDeleteEvents, type DeleteEventsDeps } from './delete-events.js';
import {
  type DeletedEventCollection,
  type ForwardedDelete,
  type ForwardedUpsert,
  movedSessionId,
} from './deleted-event.js';

export interface ForwardEventsDeps extends DeleteEventsDeps {
  /**
   * Adds each event to the queues whose filters it matches. Called again for events that are forwarded again.
   */
  readonly routeToQueues: (forwarded: readonly ForwardedUpsert[]) => Promise<void>;
}

/**
 * Stores what a data plane forwards: deletes first, then the events that queues take, then sessions. Each step is
 * idempotent: if the process ends in between, the data plane forwards the batch again.
 *
 * A delete may run concurrently with, or before, older states of what it deletes. It writes a tombstone and then
 * removes what it finds; the other steps write and then look for tombstones. So one of the two sees the other.
 */
export function makeForwardEvents(deps: ForwardEventsDeps): ControlPlane['forwardEvents'] {
  const deleteEvents = makeDeleteEvents(deps);
  return async function forwardEvents(batch) {
    const deletes = batch.filter((entry): entry is ForwardedDelete => entry.kind === 'delete');
    const events = batch.filter((entry): entry is ForwardedUpsert => entry.kind === 'event');
    const sessions = batch.filter((entry): entry is ForwardedSession => entry.kind === 'session');
    await deleteEvents(deletes);
    if (events.length > 0) await routeEvents(deps, events);
    if (sessions.length > 0) await storeSessions(deps, sessions);
  };
}

async function routeEvents(deps: ForwardEventsDeps, events: readonly ForwardedUpsert[]): Promise<void> {
  await deps.routeToQueues(events);
  const idsOf = ({ event }: ForwardedUpsert) => [
    ...[event.event_id, event.session_id].map((id) => eventDocumentId(event.project_id, id)),
    ...(event.origin === 'synthesised' ? [movedSessionId(event.project_id, event.event_id)] : []),
  ];
  const deleted = await tombstonesAmong(deps.deletedEvents, events.flatMap(idsOf));
  for (const entry of events) {
    if (idsOf(entry).some((id) => deleted.has(id)))
      await deps.removeFromQueues(entry.event.project_id, [entry.event.event_id]);
  }
}

async function storeSessions(deps: ForwardEventsDeps, sessions: readonly ForwardedSession[]): Promise<void> {
  await upsertSessions(deps.sessions, sessions);
  const ids = sessions.map(({ projectId, summary }) => eventDocumentId(projectId, summary.session_id));
  const deleted = await tombstonesAmong(deps.deletedEvents, ids);
  for (const batch of chunks([...deleted], BATCH_SIZE)) await deps.sessions.deleteAll(batch);
}

/** Returns those of the ids that have a tombstone. */
async function tombstonesAmong(
  tombstones: DeletedEventCollection,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const batch of chunks([...new Set(ids)], BATCH_SIZE))
    for (const { id } of await tombstones.getAll(batch)) found.add(id);
  return found;
}
