import type { SessionCollection } from '../sessions/session-document.js';
import { chunks } from '../shared/chunks.js';
import {
  BATCH_SIZE,
  type DeletedEventCollection,
  eventDocumentId,
  type ForwardedDelete,
} from './deleted-event.js';

export interface DeleteEventsDeps {
  readonly deletedEvents: DeletedEventCollection;
  readonly sessions: SessionCollection;
  /** Removes events from all queues. */
  readonly removeFromQueues: (projectId: string, eventIds: readonly string[]) => Promise<void>;
}

/**
 * Deletes events permanently: writes their tombstones, then removes them from all queues, and the documents of those
 * that are sessions. The members of a session leave the queues with it. @throws AppError `UNAVAILABLE`
 */
export function makeDeleteEvents(deps: DeleteEventsDeps) {
  return async function deleteEvents(deletes: readonly ForwardedDelete[]): Promise<void> {
    for (const batch of chunks(deletes, BATCH_SIZE)) {
      const ids = batch.map(({ projectId, eventId }) => eventDocumentId(projectId, eventId));
      await deps.deletedEvents.insertMissing(
        batch.map(({ projectId, eventId, version }) => ({
          id: eventDocumentId(projectId, eventId),
          fields: { project_id: projectId, event_id: eventId, event_version: version },
        })),
      );
      for (const projectId of new Set(batch.map((entry) => entry.projectId))) {
        const ofProject = batch.filter((entry) => entry.projectId === projectId);
        const eventIds = ofProject.flatMap(({ eventId, memberIds = [] }) => [eventId, ...memberIds]);
        await deps.removeFromQueues(projectId, eventIds);
      }
      await deps.sessions.deleteAll(ids);
    }
  };
}
