import type { SessionCollection } from '../sessions/session-document.js';
import { chunks } from '../shared/chunks.js';
import { BATCH_SIZE, eventDocumentId } from '../shared/forwarded-documents.js';
import { type DeletedEventCollection, type ForwardedDelete, movedSessionId } from './deleted-event.js';

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
      const idOf = ({ projectId, eventId, isMoved }: ForwardedDelete) =>
        (isMoved ? movedSessionId : eventDocumentId)(projectId, eventId);
      await deps.deletedEvents.insertMissing(
        batch.map((entry) => ({
          id: idOf(entry),
          fields: {
            project_id: entry.projectId,
            event_id: entry.eventId,
            event_version: entry.version,
          },
        })),
      );
      for (const projectId of new Set(batch.map((entry) => entry.projectId))) {
        const ofProject = batch.filter((entry) => entry.projectId === projectId);
        const eventIds = ofProject.flatMap(({ eventId, memberIds = [] }) => [eventId, ...memberIds]);
        await deps.removeFromQueues(projectId, eventIds);
      }
      await deps.sessions.deleteAll(batch.filter(({ isMoved }) => !isMoved).map(idOf));
    }
  };
}
