import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success, text } from '../../schema/fields.js';

const keyPath = Type.Object({
  project_id: text('Id of the project.', '65c13dbbd65fb876b7886cdb', { minLength: 1, maxLength: 200 }),
  key_id: text('Id of the key.', '8Jx2m0aQ4bYv7LkT1sWn5cRe', { minLength: 1, maxLength: 200 }),
});

export const deleteApiKey = defineRoute({
  operation: 'deleteApiKey',
  method: 'DELETE',
  path: '/v1/projects/{project_id}/api_keys/{key_id}',
  aliases: ['/projects/{project_id}/api_keys/{key_id}'],
  owner: 'control-plane',
  access: 'admin-or-project',
  console: true,
  tag: 'API keys',
  summary: 'Revoke a key; effective within 30 seconds',
  params: keyPath,
  response: Type.Object({
    success: success(),
    deleted: text('Id of the key that was revoked.', '8Jx2m0aQ4bYv7LkT1sWn5cRe'),
  }),
});
