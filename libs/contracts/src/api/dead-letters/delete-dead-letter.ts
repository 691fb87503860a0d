import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success } from '../../schema/fields.js';
import { deadLetterPath } from './get-dead-letter.js';

export const deleteDeadLetter = defineRoute({
  operation: 'deleteDeadLetter',
  method: 'DELETE',
  path: '/v1/dead-letters/{dead_letter_id}',
  owner: 'data-plane',
  access: 'admin',
  console: true,
  tag: 'Operation',
  summary: 'Delete a dead letter',
  params: deadLetterPath,
  response: Type.Object({ success: success() }),
});
