import type { ControlPlane } from '@assay/control-plane-client';
import { makeDeleteEvent } from './delete-event.js';
import type { ForwardEventsDeps } from './forward-events-deps.js';
import {
  type EventEntryCollection,
  entryId,
  type ForwardedDelete,
  type ForwardedUpsert,
} from './indexed-event.js';
import { upsertEvents } from './upsert-events.js';

/** Sessions that are asked for together. */
const AT_ONCE = 500;

/**
 * Keeps what the data plane tells about events: deletes first, since what is deleted stays deleted whatever the versions say, then events,
 * then their way to the queues. Each step may be done again, so a process that ends in between has lost nothing: the data plane tells it again.
 */
export function makeForwardEvents(deps: ForwardEventsDeps): ControlPlane['forwardEvents'] {
  const deleteEvent = makeDeleteEvent(deps);
  return async function forwardEvents(batch) {
    const deletes = batch.filter((told): told is ForwardedDelete => told.kind === 'delete');
    const events = batch.filter((told): told is ForwardedUpsert => told.kind === 'event');
    for (const told of deletes) await deleteEvent(told);
    const current = await upsertEvents(deps.events, events);
    await deps.routeToQueues(await withoutDeletedSessions(current, deps.events));
  };
}

/**
 * Takes back the events whose session is deleted. It is asked after they were kept: a session that is deleted at the same time finds them, or
 * they find it deleted.
 */
async function withoutDeletedSessions(
  told: readonly ForwardedUpsert[],
  entries: EventEntryCollection,
): Promise<ForwardedUpsert[]> {
  const sessions = [...new Set(told.map(({ event }) => entryId(event.project_id, event.session_id)))];
  const deleted = new Set<string>();
  for (let start = 0; start < sessions.length; start += AT_ONCE) {
    const found = await entries.getAll(sessions.slice(start, start + AT_ONCE));
    for (const session of found) if (session.deleted) deleted.add(session.id);
  }
  if (deleted.size === 0) return [...told];
  const isGone = ({ event }: ForwardedUpsert) => deleted.has(entryId(event.project_id, event.session_id));
  for (const { event } of told.filter(isGone))
    await entries.delete(entryId(event.project_id, event.event_id));
  return told.filter((one) => !isGone(one));
}
