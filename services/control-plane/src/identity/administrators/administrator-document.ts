import type { AdministratorResponse } from '@assay/contracts';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { AdministratorRole } from '@assay/domain';

/** Named administrator, stored under the id. It contains only the hash of the token. */
export interface AdministratorFields {
  readonly name: string;
  readonly role: AdministratorRole;
  /** HMAC-SHA-256 of the whole token with the pepper, base64url. */
  readonly hash: string;
  readonly created_at: string;
  readonly expires_at: string | null;
}
export type AdministratorDocument = Document<AdministratorFields>;
export type AdministratorCollection = DocumentCollection<AdministratorFields>;

export const ADMINISTRATOR_COLLECTION: CollectionSpec = {
  name: 'administrators',
  unique: [['name']],
  indexes: [['created_at']],
};

export const MAX_ADMINISTRATORS = 1_000;

export function toAdministratorResponse({
  id,
  name,
  role,
  created_at,
  expires_at,
}: AdministratorDocument): AdministratorResponse {
  return { id, name, role, created_at, expires_at };
}

export function isExpired({ expires_at }: AdministratorFields, now: Date): boolean {
  return expires_at !== null && Date.parse(expires_at) <= now.getTime();
}
