import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, success } from '../../schema/fields.js';
import { deadLetterSelection } from './dead-letter.js';

export const deleteDeadLettersRequest = Type.Object(
  {
    ...deadLetterSelection,
    limit: Type.Optional(
      integer('Maximum number of letters; 1,000 when absent.', 1000, { minimum: 1, maximum: 100_000 }),
    ),
  },
  {
    $id: 'DeleteDeadLettersRequest',
    description: 'Which dead letters to delete, oldest first. Requires ids or a field of the filter.',
    additionalProperties: false,
    minProperties: 1,
  },
);

export const deleteDeadLetters = defineRoute({
  operation: 'deleteDeadLetters',
  method: 'POST',
  path: '/v1/dead-letters/delete',
  owner: 'data-plane',
  access: 'admin',
  console: true,
  tag: 'Operation',
  summary: 'Delete dead letters by id or filter',
  limits: { maxBodyBytes: 262_144, maxConcurrent: 1 },
  body: deleteDeadLettersRequest,
  response: Type.Object({ success: success(), deleted: integer('Number of deleted records.', 3) }),
});
