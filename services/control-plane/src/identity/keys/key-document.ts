import type { IngestLimits, KeyScope } from '@assay/domain';
import type { ApiKeyResponse } from '@assay/contracts';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';

/** Key, stored under its id. It contains only the hash of the key. */
export interface ApiKeyFields {
  readonly project_id: string;
  readonly scope: KeyScope;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly string[];
  /** HMAC-SHA-256 of the whole key with the pepper, base64url. */
  readonly hash: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Last use, exact to about a minute; absent or null if the key was never used. */
  readonly last_used_at?: string | null;
  /** How much may be sent with the key; absent: no limit of its own. */
  readonly limits?: IngestLimits;
  /** False until the generated first key of a project was shown; absent for every other key. */
  readonly is_shown?: boolean;
}
export type ApiKey = Document<ApiKeyFields>;
export type ApiKeyCollection = DocumentCollection<ApiKeyFields>;

export const API_KEY_COLLECTION: CollectionSpec = {
  name: 'api_keys',
  unique: [['hash']],
  indexes: [['project_id'], ['project_id', 'revoked_at', 'created_at']],
};

export function toApiKeyResponse(key: ApiKey): ApiKeyResponse {
  const {
    id,
    name,
    description,
    scope,
    permissions,
    created_at,
    expires_at,
    last_used_at = null,
    limits,
  } = key;
  const texts = { name, description, scope, permissions: [...permissions] };
  return { key_id: id, ...texts, created_at, expires_at, last_used_at, ...(limits && { limits }) };
}
