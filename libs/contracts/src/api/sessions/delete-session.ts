import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success, uuid } from '../../schema/fields.js';
import { sessionPath } from './session-path.js';

export const deleteSession = defineRoute({
  operation: 'deleteSession',
  method: 'DELETE',
  path: '/v1/sessions/{session_id}',
  aliases: ['/sessions/{session_id}'],
  owner: 'ingestion',
  access: 'project',
  console: true,
  tag: 'Sessions',
  summary: 'Delete a session with all its events, including those that arrive later',
  params: sessionPath,
  response: Type.Object({ success: success(), deleted: uuid('Id of the session that was deleted.') }),
});
