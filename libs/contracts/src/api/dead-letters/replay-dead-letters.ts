import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, success } from '../../schema/fields.js';

export const replayDeadLettersRequest = Type.Object(
  { limit: Type.Optional(integer('Maximum number of records.', 1000, { minimum: 1, maximum: 100_000 })) },
  {
    $id: 'ReplayDeadLettersRequest',
    description: 'How many dead letters to replay.',
    additionalProperties: false,
  },
);

export const replayDeadLetters = defineRoute({
  operation: 'replayDeadLetters',
  method: 'POST',
  path: '/v1/dead-letters/replay',
  owner: 'data-plane',
  access: 'admin',
  tag: 'Operation',
  summary: 'Replay dead letters, after their cause is fixed',
  body: replayDeadLettersRequest,
  response: Type.Object({ success: success(), replayed: integer('Number of replayed records.', 3) }),
});
