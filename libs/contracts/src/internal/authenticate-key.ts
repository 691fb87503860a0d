import { Type, type Static } from '@sinclair/typebox';
import { KEY_SCOPES, type KeyScope } from '@assay/domain';
import { defineRoute } from '../route.js';
import { choice, text } from '../schema/fields.js';
import { activeIngestLimits } from '../schema/ingest-limits.js';
import { BODY_BYTES, orNull } from './fields.js';

/** No id or name is longer. */
const TEXT_LIMITS = { minLength: 1, maxLength: 1_000 };

/** Whom a key belongs to. */
export const caller = Type.Object(
  {
    projectId: text('Id of the project.', '65c13dbbd65fb876b7886cdb', TEXT_LIMITS),
    projectName: text('Name of the project.', 'support-bot', TEXT_LIMITS),
    keyId: text('Id of the key.', '8Jx2m0aQ4bYv7LkT1sWn5cRe', TEXT_LIMITS),
    person: Type.Optional(text('Name of the person; absent where a key calls.', 'ada', TEXT_LIMITS)),
    scope: choice<KeyScope>(KEY_SCOPES, 'What the key may do.', 'ingest'),
    permissions: Type.Optional(
      Type.Unsafe<readonly string[]>(
        Type.Array(Type.String({ maxLength: 1_000 }), {
          description: 'The only permissions of the key; absent: all of its scope.',
          examples: [['events:read']],
          maxItems: 1_000,
        }),
      ),
    ),
    expiresAt: Type.Optional(
      text('Expiry of the key, ISO 8601; absent: never.', '2027-11-01T00:00:00.000Z', TEXT_LIMITS),
    ),
    projectLimits: Type.Optional(activeIngestLimits('project')),
    keyLimits: Type.Optional(activeIngestLimits('key')),
  },
  { description: 'Whom the key belongs to.' },
);
export type WireCaller = Static<typeof caller>;

export const authenticateKey = defineRoute({
  operation: 'authenticateKey',
  method: 'POST',
  path: '/internal/v1/keys/authenticate',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Look up whom a key belongs to; null when it is unknown, revoked, expired or of another project',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: Type.Object({ key: text('The key itself.', 'hh_ingst_...') }),
  response: Type.Object({ caller: orNull(caller) }),
});
