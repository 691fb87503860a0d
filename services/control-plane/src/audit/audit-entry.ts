import type { ActorKind } from '@assay/contracts';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';

/**
 * Immutable entry of the audit trail, stored under its position. Ids and field names, never values or
 * secrets.
 */
export interface AuditEntryFields {
  /** Sort key of the trail: ISO 8601, then a counter and random digits. */
  readonly position: string;
  readonly at: string;
  readonly action: string;
  readonly actor: ActorKind;
  readonly actor_id: string | null;
  /** Absent in entries of earlier releases. */
  readonly actor_name?: string | null;
  /** Absent in entries of earlier releases. */
  readonly identity?: string | null;
  readonly project_id: string | null;
  readonly subject_id: string;
  readonly fields: readonly string[];
  readonly address: string | null;
  readonly data_plane_id: string | null;
  readonly data_plane_address: string | null;
  readonly request_id: string | null;
}
export type AuditEntry = Document<AuditEntryFields>;
export type AuditEntryCollection = DocumentCollection<AuditEntryFields>;

export const AUDIT_ENTRY_COLLECTION: CollectionSpec = {
  name: 'audit_entries',
  unique: [],
  indexes: [
    ['position'],
    ['project_id', 'position'],
    ['action', 'position'],
    ['project_id', 'action', 'position'],
  ],
};
