import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import { administratorId, administratorPath } from './administrator.js';

export const deleteAdministrator = defineRoute({
  operation: 'deleteAdministrator',
  method: 'DELETE',
  path: '/v1/administrators/{administrator_id}',
  owner: 'control-plane',
  access: 'admin',
  tag: 'Administrators',
  summary: 'Delete a named administrator and revoke the token; effective within 30 seconds',
  params: administratorPath,
  response: Type.Object({ success: success(), deleted: administratorId() }),
});
