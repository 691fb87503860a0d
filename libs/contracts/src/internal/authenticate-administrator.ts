import { Type, type Static } from '@sinclair/typebox';
import { ADMINISTRATOR_ROLES, type AdministratorRole } from '@assay/domain';
import { defineRoute } from '../route.js';
import { choice, text } from '../schema/fields.js';
import { BODY_BYTES, orNull } from './fields.js';

const TEXT_LIMITS = { minLength: 1, maxLength: 1_000 };

const administrator = Type.Object(
  {
    id: text('Id of the administrator.', '8Jx2m0aQ4bYv7LkT1sWn5cRe', TEXT_LIMITS),
    name: text('Name of the administrator.', 'ada@example.com', TEXT_LIMITS),
    role: choice<AdministratorRole>(ADMINISTRATOR_ROLES, 'What the administrator may do.', 'operator'),
    expiresAt: Type.Optional(
      text('Expiry of the token, ISO 8601; absent: never.', '2027-11-01T00:00:00.000Z', TEXT_LIMITS),
    ),
  },
  { description: 'Whom the token belongs to.' },
);
export type WireAdministrator = Static<typeof administrator>;

export const authenticateAdministrator = defineRoute({
  operation: 'authenticateAdministrator',
  method: 'POST',
  path: '/internal/v1/administrators/authenticate',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Look up the named administrator of a token; null when it is unknown, revoked or expired',
  readOnly: true,
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: Type.Object({ token: text('The token itself.', 'assay_adm_...') }),
  response: Type.Object({ administrator: orNull(administrator) }),
});
