import { insertIfAbsent } from '../shared/insert-if-absent.js';
import { LOST, retryWhileLost } from '../shared/update-with-retry.js';
import {
  type DeletedEventFields,
  type EventEntryCollection,
  entryId,
  EVENT_RETRY,
  type ForwardedDelete,
} from './indexed-event.js';

const PAGE = 20;

export interface DeleteEventDeps {
  readonly events: EventEntryCollection;
  /** Removes an event from all queues. */
  readonly removeFromQueues: (projectId: string, eventId: string) => Promise<void>;
}

/**
 * Deletes an event permanently and, if it is a session, the events of the session. @throws AppError
 * `UNAVAILABLE`
 */
export function makeDeleteEvent(deps: DeleteEventDeps) {
  return async function deleteEvent({ projectId, eventId, version }: ForwardedDelete): Promise<void> {
    await writeTombstone(deps.events, {
      project_id: projectId,
      event_id: eventId,
      event_version: version,
      deleted: true,
    });
    await deps.removeFromQueues(projectId, eventId);
    const nextPage = () =>
      deps.events.list({ equals: { project_id: projectId, session_id: eventId }, limit: PAGE });
    for (let page = await nextPage(); page.length > 0; page = await nextPage()) {
      for (const { id, event_id } of page) {
        await deps.removeFromQueues(projectId, event_id);
        await deps.events.delete(id);
      }
    }
  };
}

/**
 * Replaces an event by a tombstone. The tombstone of a session also rejects its events, which need none of
 * their own.
 */
async function writeTombstone(entries: EventEntryCollection, tombstone: DeletedEventFields): Promise<void> {
  const id = entryId(tombstone.project_id, tombstone.event_id);
  await retryWhileLost(async () => {
    const entry = await entries.get(id);
    if (entry?.deleted) return undefined;
    const isWritten = entry
      ? await entries.replace({ ...tombstone, id, version: entry.version })
      : await insertIfAbsent(entries, id, tombstone);
    return isWritten ? undefined : LOST;
  }, EVENT_RETRY);
}
