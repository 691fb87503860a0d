import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { listOf, success } from '../../schema/fields.js';
import { apiKeyResponse, projectPath } from './api-key.js';

export const listApiKeys = defineRoute({
  operation: 'listApiKeys',
  method: 'GET',
  path: '/v1/projects/{project_id}/api_keys',
  aliases: ['/projects/{project_id}/api_keys'],
  owner: 'control-plane',
  access: 'admin-or-project',
  console: true,
  tag: 'API keys',
  summary: 'List the keys of a project, without their secrets',
  params: projectPath,
  response: Type.Object({ success: success(), data: listOf(apiKeyResponse, 'The keys, newest first.') }),
});
