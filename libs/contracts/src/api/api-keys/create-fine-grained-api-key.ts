import { Type, type Static } from '@sinclair/typebox';
import { PERMISSIONS, type Permission } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, success, text } from '../../schema/fields.js';
import {
  createdKeyProperties,
  expiresAt,
  keyDescription,
  keyLimits,
  keyName,
  permissions,
  projectPath,
} from './api-key.js';

export const createFineGrainedApiKeyRequest = Type.Object(
  {
    name: Type.Optional(keyName()),
    description: Type.Optional(keyDescription()),
    permissions: Type.Array(choice<Permission>(PERMISSIONS, 'A permission.', 'events:read'), {
      description:
        'The only permissions of the key; an empty list stands for all permissions in its project. A key cannot create one with more permissions than its own.',
      examples: [[]],
      maxItems: PERMISSIONS.length,
      uniqueItems: true,
    }),
    expires_at: Type.Optional(
      text(
        'Expiry of the key, ISO 8601; absent: that of the key that creates it, else never. It cannot be later.',
        '2027-11-01T00:00:00.000Z',
        {
          format: 'date-time',
        },
      ),
    ),
    limits: Type.Optional(keyLimits()),
  },
  {
    $id: 'CreateFineGrainedApiKeyRequest',
    description: 'A key of a project, with all of its rights or some.',
    additionalProperties: false,
  },
);
export type CreateFineGrainedApiKeyRequest = Static<typeof createFineGrainedApiKeyRequest>;

export const createFineGrainedApiKey = defineRoute({
  operation: 'createFineGrainedApiKey',
  method: 'POST',
  path: '/v1/projects/{project_id}/fine_grained_api_keys',
  aliases: ['/projects/{project_id}/fine_grained_api_keys'],
  owner: 'control-plane',
  access: 'admin-or-project',
  console: true,
  tag: 'API keys',
  summary: 'Create a key of a project, with all of its rights or some',
  params: projectPath,
  body: createFineGrainedApiKeyRequest,
  response: Type.Object({
    success: success(),
    data: Type.Object(
      {
        ...createdKeyProperties,
        name: keyName(),
        description: keyDescription(),
        permissions: permissions(),
        expires_at: expiresAt(),
        limits: Type.Optional(keyLimits()),
      },
      { description: 'The new key.', examples: [{ key_id: '8Jx2m0aQ4bYv7LkT1sWn5cRe' }] },
    ),
  }),
});
