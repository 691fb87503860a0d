import type { ControlPlane } from '@assay/control-plane-client';
import { chunks } from '../shared/chunks.js';
import { type DeleteEventDeps, makeDeleteEvent } from './delete-event.js';
import {
  BATCH_SIZE,
  type EventEntryCollection,
  entryId,
  type ForwardedDelete,
  type ForwardedUpsert,
} from './indexed-event.js';
import { upsertEvents } from './upsert-events.js';

export interface ForwardEventsDeps extends DeleteEventDeps {
  /**
   * Adds each event to the queues whose filters it matches. Called again for events that are forwarded again.
   */
  readonly routeToQueues: (forwarded: readonly ForwardedUpsert[]) => Promise<void>;
}

/**
 * Stores forwarded events. Deletes come first, because a deleted event stays deleted whatever its version,
 * then upserts, then the routing to queues. Each step is idempotent: if the process ends in between, the data
 * plane forwards the batch again.
 */
export function makeForwardEvents(deps: ForwardEventsDeps): ControlPlane['forwardEvents'] {
  const deleteEvent = makeDeleteEvent(deps);
  return async function forwardEvents(batch) {
    const deletes = batch.filter((entry): entry is ForwardedDelete => entry.kind === 'delete');
    const upserts = batch.filter((entry): entry is ForwardedUpsert => entry.kind === 'event');
    for (const entry of deletes) await deleteEvent(entry);
    const current = await upsertEvents(deps.events, upserts);
    await deps.routeToQueues(await withoutDeletedSessions(current, deps.events));
  };
}

/**
 * Deletes the stored events whose session is deleted, and returns the others. Runs after the events were
 * stored: either this check sees a concurrent session delete, or the delete sees the events.
 */
async function withoutDeletedSessions(
  forwarded: readonly ForwardedUpsert[],
  entries: EventEntryCollection,
): Promise<ForwardedUpsert[]> {
  const sessions = [...new Set(forwarded.map(({ event }) => entryId(event.project_id, event.session_id)))];
  const deleted = new Set<string>();
  for (const ids of chunks(sessions, BATCH_SIZE)) {
    for (const session of await entries.getAll(ids)) if (session.deleted) deleted.add(session.id);
  }
  if (deleted.size === 0) return [...forwarded];
  const isDeleted = ({ event }: ForwardedUpsert) => deleted.has(entryId(event.project_id, event.session_id));
  for (const { event } of forwarded.filter(isDeleted))
    await entries.delete(entryId(event.project_id, event.event_id));
  return forwarded.filter((entry) => !isDeleted(entry));
}
