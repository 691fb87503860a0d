import type { ForwardedEvent } from '@assay/control-plane-client';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import { eventDocumentId } from '../shared/forwarded-documents.js';

/**
 * Tombstone of a deleted event or session, under `<project_id>:<event_id>`. It keeps events that are forwarded late
 * out of queues, and late summaries out of the list of sessions. The events of a deleted session have none of their
 * own.
 */
export interface DeletedEventFields {
  readonly project_id: string;
  readonly event_id: string;
  /** Log position of the delete. */
  readonly event_version: number;
}
export type DeletedEvent = Document<DeletedEventFields>;
export type DeletedEventCollection = DocumentCollection<DeletedEventFields>;

export const DELETED_EVENT_COLLECTION: CollectionSpec = {
  name: 'deleted_events',
  unique: [],
  indexes: [['project_id', 'event_id']],
};

/** Forwarded event. */
export type ForwardedUpsert = Extract<ForwardedEvent, { kind: 'event' }>;
/** Forwarded deletion of an event. */
export type ForwardedDelete = Extract<ForwardedEvent, { kind: 'delete' }>;

/**
 * Returns the id of the tombstone of a synthesised session whose events were moved to another one. It keeps the
 * synthesised event out of queues; a session that a client starts under the same id later is not affected.
 */
export function movedSessionId(projectId: string, sessionId: string): string {
  return `${eventDocumentId(projectId, sessionId)}:moved`;
}
