import type { CollectionSpec, DocumentStore } from '@assay/document-store';
import type { DeletedEventCollection } from '../events/deleted-event.js';

/** Index of all events that earlier releases kept: one document for each event, or its tombstone. */
export const EVENT_INDEX_COLLECTION: CollectionSpec = {
  name: 'events',
  unique: [],
  indexes: [['project_id', 'session_id']],
};

/** The fields of such a document that are still used. */
interface EventIndexFields {
  readonly project_id: string;
  readonly event_id: string;
  readonly event_version: number;
  readonly deleted: boolean;
}

const BATCH_SIZE = 500;

/**
 * Returns a function that removes the index in steps of 500 documents, until `isStopping`. Tombstones are moved to the
 * collection of deleted events first. Every step is idempotent, also across processes, so that the next start continues
 * an interrupted removal. Resolves without effect once the index was empty.
 */
export function makeRemoveEventIndex({
  documents,
  deletedEvents,
}: {
  readonly documents: DocumentStore;
  readonly deletedEvents: DeletedEventCollection;
}): (isStopping?: () => boolean) => Promise<void> {
  let isEmpty = false;
  return async function removeEventIndex(isStopping = () => false) {
    if (isEmpty) return;
    const index = await documents.collection<EventIndexFields>(EVENT_INDEX_COLLECTION);
    while (!isStopping()) {
      const page = await index.list({ equals: {}, limit: BATCH_SIZE });
      isEmpty = page.length === 0;
      if (isEmpty) return;
      const tombstones = page.filter(({ deleted }) => deleted);
      await deletedEvents.insertMissing(
        tombstones.map(({ id, project_id, event_id, event_version }) => ({
          id,
          fields: { project_id, event_id, event_version },
        })),
      );
      await index.deleteAll(page.map(({ id }) => id));
    }
  };
}
