import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success, text } from '../../schema/fields.js';
import { createdKeyProperties, expiresAt, permissions, projectPath } from './api-key.js';

export const createFineGrainedApiKeyRequest = Type.Object(
  {
    permissions: permissions(),
    expires_at: Type.Optional(
      text('Expiry of the key, ISO 8601; absent: never.', '2027-11-01T00:00:00.000Z', {
        format: 'date-time',
      }),
    ),
  },
  { $id: 'CreateFineGrainedApiKeyRequest', description: 'A key with all rights of its project.' },
);
export type CreateFineGrainedApiKeyRequest = Static<typeof createFineGrainedApiKeyRequest>;

export const createFineGrainedApiKey = defineRoute({
  operation: 'createFineGrainedApiKey',
  method: 'POST',
  path: '/v1/projects/{project_id}/fine_grained_api_keys',
  aliases: ['/projects/{project_id}/fine_grained_api_keys'],
  owner: 'control-plane',
  access: 'admin-or-project',
  tag: 'API keys',
  summary: 'Create a key with all rights of its project',
  params: projectPath,
  body: createFineGrainedApiKeyRequest,
  response: Type.Object({
    success: success(),
    data: Type.Object(
      { ...createdKeyProperties, permissions: permissions(), expires_at: expiresAt() },
      { description: 'The new key.', examples: [{ key_id: '8Jx2m0aQ4bYv7LkT1sWn5cRe' }] },
    ),
  }),
});
