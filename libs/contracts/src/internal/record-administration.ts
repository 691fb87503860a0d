import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../route.js';
import { choice, text, textList, textOrNull } from '../schema/fields.js';
import { BODY_BYTES } from './fields.js';

/** What administrators begin in a data plane. */
export const ADMINISTRATIVE_ACTIONS = [
  'backup.started',
  'dead_letters.deletion_started',
  'dead_letters.replay_started',
  'sessions.forwarding_started',
  'store.migration_started',
] as const;
export type AdministrativeAction = (typeof ADMINISTRATIVE_ACTIONS)[number];

/** The administrator on whose request the data plane acts, for the audit trail. */
const actingAdministrator = Type.Object(
  {
    id: textOrNull('Id of the administrator; null for the holder of the configured token.', null),
    name: text('Name of the administrator.', 'Ada', { maxLength: 200 }),
    requestId: text('Id of the request.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    identity: Type.Optional(
      text('Name of the person that the proxy of the client states.', 'ada@example.com', { maxLength: 200 }),
    ),
    address: text('IP address of the client, as far as the data plane knows it.', '203.0.113.9'),
  },
  { description: 'The administrator on whose request the data plane acts.' },
);

const administration = Type.Object({
  action: choice<AdministrativeAction>(ADMINISTRATIVE_ACTIONS, 'What begins.', 'backup.started'),
  subjectId: text('Id of the one thing that it concerns, else what kind of things.', 'dead-letters', {
    maxLength: 500,
  }),
  fields: textList('Names of the fields that were sent.', ['project_id']),
  by: actingAdministrator,
});
/** Administration of a data plane that begins. */
export type BegunAdministration = Readonly<Static<typeof administration>>;

/** Administration that begins in a data plane, which concerns no single project. */
export const recordAdministration = defineRoute({
  operation: 'recordAdministration',
  method: 'POST',
  path: '/internal/v1/administration/record',
  owner: 'control-plane',
  access: 'data-plane',
  tag: 'Internal',
  summary: 'Write that an administrator begins something in the data plane into the audit trail',
  limits: { maxBodyBytes: BODY_BYTES.oneResource },
  body: administration,
  response: Type.Object({ recorded: Type.Boolean({ description: 'Always true.', examples: [true] }) }),
});
