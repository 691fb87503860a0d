import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, success } from '../../schema/fields.js';
import { deadLetterSelection } from './dead-letter.js';

export const replayDeadLettersRequest = Type.Object(
  {
    ...deadLetterSelection,
    limit: Type.Optional(integer('Maximum number of records.', 1000, { minimum: 1, maximum: 100_000 })),
  },
  {
    $id: 'ReplayDeadLettersRequest',
    description: 'Which dead letters to replay, oldest first; all without ids and filter.',
    additionalProperties: false,
  },
);

export const replayDeadLetters = defineRoute({
  operation: 'replayDeadLetters',
  method: 'POST',
  path: '/v1/dead-letters/replay',
  owner: 'data-plane',
  access: 'admin',
  console: true,
  tag: 'Operation',
  summary: 'Replay dead letters, after their cause is fixed',
  limits: { maxBodyBytes: 262_144, maxConcurrent: 1 },
  body: replayDeadLettersRequest,
  response: Type.Object({ success: success(), replayed: integer('Number of replayed records.', 3) }),
});
