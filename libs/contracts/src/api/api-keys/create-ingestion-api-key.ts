import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import {
  createdKeyProperties,
  expiresAt,
  keyDescription,
  keyLimits,
  keyName,
  projectPath,
} from './api-key.js';

export const createIngestionApiKeyRequest = Type.Object(
  {
    name: keyName(),
    description: Type.Optional(keyDescription()),
    limits: Type.Optional(keyLimits()),
  },
  {
    $id: 'CreateIngestionApiKeyRequest',
    description: 'A key that can only create events and sessions and update them.',
    additionalProperties: false,
  },
);
export type CreateIngestionApiKeyRequest = Static<typeof createIngestionApiKeyRequest>;

export const createIngestionApiKey = defineRoute({
  operation: 'createIngestionApiKey',
  method: 'POST',
  path: '/v1/projects/{project_id}/ingestion_api_keys',
  aliases: ['/projects/{project_id}/ingestion_api_keys'],
  owner: 'control-plane',
  access: 'admin-or-project',
  console: true,
  tag: 'API keys',
  summary: 'Create a key that can only create events and sessions and update them',
  params: projectPath,
  body: createIngestionApiKeyRequest,
  response: Type.Object({
    success: success(),
    data: Type.Object(
      {
        ...createdKeyProperties,
        name: keyName(),
        description: keyDescription(),
        expires_at: expiresAt(),
        limits: Type.Optional(keyLimits()),
      },
      { description: 'The new key.', examples: [{ key_id: '8Jx2m0aQ4bYv7LkT1sWn5cRe' }] },
    ),
  }),
});
