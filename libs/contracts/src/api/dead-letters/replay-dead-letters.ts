import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, success } from '../../schema/fields.js';

export const replayDeadLettersRequest = Type.Object(
  { limit: Type.Optional(integer('Records at the most.', 1000, { minimum: 1, maximum: 100_000 })) },
  {
    $id: 'ReplayDeadLettersRequest',
    description: 'How much to put back on the log.',
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
  summary: 'Put records that were set aside back on the log, once what stood in their way is mended',
  body: replayDeadLettersRequest,
  response: Type.Object({ success: success(), replayed: integer('Records that were put back.', 3) }),
});
