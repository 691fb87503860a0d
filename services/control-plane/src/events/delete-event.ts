import { AppError } from '@assay/errors';
import type { ForwardEventsDeps } from './forward-events-deps.js';
import {
  type DeletedEventFields,
  type EventEntryCollection,
  entryId,
  type ForwardedDelete,
} from './indexed-event.js';
import { insertIfAbsent } from '../shared/insert-if-absent.js';

const ATTEMPTS = 20;
const PAGE = 20;

/** Deletes an event for good, and the events of the session if it is one. */
export function makeDeleteEvent(deps: Pick<ForwardEventsDeps, 'events' | 'removeFromQueues'>) {
  return async function deleteEvent({ projectId, eventId, version }: ForwardedDelete): Promise<void> {
    await leaveTombstone(deps.events, {
      project_id: projectId,
      event_id: eventId,
      event_version: version,
      deleted: true,
    });
    await deps.removeFromQueues(projectId, eventId);
    const equals = { project_id: projectId, session_id: eventId };
    for (
      let page = await deps.events.list({ equals, limit: PAGE });
      page.length > 0;
      page = await deps.events.list({ equals, limit: PAGE })
    ) {
      for (const { id, event_id } of page) {
        await deps.removeFromQueues(projectId, event_id);
        await deps.events.delete(id);
      }
    }
  };
}

/** Puts the mark in the place of the event; the mark of a deleted session keeps its events away, so these need none of their own. */
async function leaveTombstone(entries: EventEntryCollection, mark: DeletedEventFields): Promise<void> {
  const id = entryId(mark.project_id, mark.event_id);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const entry = await entries.get(id);
    if (entry?.deleted) return;
    if (entry && (await entries.replace({ ...mark, id, version: entry.version }))) return;
    if (!entry && (await insertIfAbsent(entries, id, mark))) return;
  }
  throw new AppError('UNAVAILABLE', 'others are changing this event at the same time');
}
