import type { DataPlaneResponse } from '@assay/contracts';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';

/** Data plane, stored under its id. It contains only the hash of the token. */
export interface DataPlaneFields {
  readonly name: string;
  readonly description: string;
  /** Null: all projects, including future ones. */
  readonly project_ids: readonly string[] | null;
  /** HMAC-SHA-256 of the whole token under the pepper, base64url. */
  readonly hash: string;
  /** Hash and expiry of the previous token; null if there is none. */
  readonly previous_hash: string | null;
  readonly previous_until: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly rotated_at: string | null;
  readonly ended_at: string | null;
  readonly last_seen_at: string | null;
}
export type DataPlane = Document<DataPlaneFields>;
export type DataPlaneCollection = DocumentCollection<DataPlaneFields>;

export const DATA_PLANE_COLLECTION: CollectionSpec = {
  name: 'data_planes',
  unique: [],
  indexes: [['created_at']],
};

export function toDataPlaneResponse(record: DataPlane, now: Date): DataPlaneResponse {
  const { id, name, description, project_ids, created_at, updated_at, rotated_at, ended_at, last_seen_at } =
    record;
  return {
    id,
    name,
    description,
    project_ids: project_ids && [...project_ids],
    created_at,
    updated_at,
    rotated_at,
    previous_token_until: isPreviousTokenValid(record, now) ? record.previous_until : null,
    ended_at,
    last_seen_at,
  };
}

/** Whether the previous token is still valid. */
export function isPreviousTokenValid(
  { previous_hash, previous_until, ended_at }: DataPlaneFields,
  now: Date,
): boolean {
  return (
    previous_hash !== null &&
    previous_until !== null &&
    ended_at === null &&
    now.getTime() < Date.parse(previous_until)
  );
}
