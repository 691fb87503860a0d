import { Type, type Static } from '@sinclair/typebox';
import { KEY_SCOPES, type KeyScope } from '@assay/domain';
import { choice, text, textOrNull } from '../../schema/fields.js';
import { ingestLimits } from '../../schema/ingest-limits.js';
import { idList } from '../../schema/resource-fields.js';

const MAX_PERMISSIONS = 100;

export const projectPath = Type.Object({
  project_id: text('Id of the project.', '65c13dbbd65fb876b7886cdb', { minLength: 1, maxLength: 200 }),
});

export const keyName = () =>
  text('Name of the key.', 'production exporter', { minLength: 1, maxLength: 200 });
export const keyDescription = () =>
  text('Description of the key.', 'Used by the collector', { maxLength: 1000 });
export const permissions = () =>
  idList(
    'The only permissions of the key; an empty list stands for all permissions in its project.',
    [],
    MAX_PERMISSIONS,
  );
export const lastUsedAt = () =>
  textOrNull('Last use of the key, ISO 8601, exact to about a minute; null: never.', null);
export const expiresAt = () =>
  textOrNull('Expiry of the key, ISO 8601; null: never.', '2027-11-01T00:00:00.000Z');

export const keyLimits = () =>
  ingestLimits('key', 'The limits of its project count as well. A limit that is not named is none.');

/** Properties of every response to the creation of a key. */
export const createdKeyProperties = {
  key_value: text('The key. Returned only once.', 'hh_ingst_...'),
  key_id: text('Id of the key.', '8Jx2m0aQ4bYv7LkT1sWn5cRe'),
  root_scope_type: text('Scope of the key.', 'project'),
  root_scope_id: text('Id of the project that the key belongs to.', '65c13dbbd65fb876b7886cdb'),
};

/** Key without its secret. */
export const apiKeyResponse = Type.Object(
  {
    key_id: text('Id of the key.', '8Jx2m0aQ4bYv7LkT1sWn5cRe'),
    name: keyName(),
    description: keyDescription(),
    scope: choice<KeyScope>(
      KEY_SCOPES,
      'Scope of the key: full access to its project, or ingestion only.',
      'ingest',
    ),
    permissions: permissions(),
    created_at: text('Time of creation.', '2026-11-01T00:00:00.000Z'),
    expires_at: expiresAt(),
    last_used_at: lastUsedAt(),
    limits: Type.Optional(keyLimits()),
  },
  { $id: 'ApiKey', description: 'A key, without its secret.' },
);
export type ApiKeyResponse = Static<typeof apiKeyResponse>;
