import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { text } from '../../schema/fields.js';
import {
  administratorName,
  administratorResponse,
  administratorRole,
  administratorTokenText,
} from './administrator.js';

export const createAdministratorRequest = Type.Object(
  {
    name: administratorName(),
    role: administratorRole(),
    expires_at: Type.Optional(
      text(
        'Expiry of the token, ISO 8601, in the future; absent: never. No later than that of the administrator who creates it.',
        '2027-11-01T00:00:00.000Z',
        { format: 'date-time' },
      ),
    ),
  },
  {
    $id: 'CreateAdministratorRequest',
    description: 'The administrator to create.',
    additionalProperties: false,
  },
);
export type CreateAdministratorRequest = Static<typeof createAdministratorRequest>;

export const createAdministrator = defineRoute({
  operation: 'createAdministrator',
  method: 'POST',
  path: '/v1/administrators',
  owner: 'control-plane',
  access: 'admin',
  tag: 'Administrators',
  summary: 'Create a named administrator and return the token',
  body: createAdministratorRequest,
  response: Type.Object({ administrator: administratorResponse, token: administratorTokenText() }),
});
