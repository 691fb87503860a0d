import { Type, type Static } from '@sinclair/typebox';
import { text } from '../schema/fields.js';

/** The key on whose request the data plane acts, for the audit trail. */
export const actingKey = Type.Object(
  {
    keyId: text('Id of the key.', '8Jx2m0aQ4bYv7LkT1sWn5cRe'),
    requestId: text('Id of the request.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    identity: Type.Optional(
      text('Name of the person that the proxy of the client states.', 'ada@example.com', { maxLength: 200 }),
    ),
    address: text('IP address of the client, as far as the data plane knows it.', '203.0.113.9'),
  },
  { description: 'The key on whose request the data plane acts.' },
);
export type ActingKey = Readonly<Static<typeof actingKey>>;
