import { Type, type Static } from '@sinclair/typebox';
import { ADMINISTRATOR_ROLES, type AdministratorRole } from '@assay/domain';
import { choice, text, textOrNull } from '../../schema/fields.js';
import { createdAt, resourceId, resourceName } from '../../schema/resource-fields.js';

const ADMINISTRATOR_ID = '8Jx2m0aQ4bYv7LkT1sWn5cRe';

export const administratorId = () => resourceId('Id of the administrator.', ADMINISTRATOR_ID);
export const administratorName = () =>
  resourceName('Name of the person or program, unique; the audit trail shows it.', 'ada@example.com');
export const administratorRole = () =>
  choice<AdministratorRole>(
    ADMINISTRATOR_ROLES,
    'What the administrator may do: `viewer` reads, `operator` also operates, `admin` may do everything.',
    'operator',
  );

/** Administrator without the token. */
export const administratorResponse = Type.Object(
  {
    id: administratorId(),
    name: administratorName(),
    role: administratorRole(),
    created_at: createdAt(),
    expires_at: textOrNull('When the token expires, ISO 8601; null: never.', '2027-11-01T00:00:00.000Z'),
  },
  { $id: 'Administrator', description: 'An administrator, without the token.' },
);
export type AdministratorResponse = Static<typeof administratorResponse>;

export const administratorPath = Type.Object({ administrator_id: administratorId() });

export const administratorTokenText = () =>
  text('Token of the administrator. Returned only once.', 'assay_adm_...');
