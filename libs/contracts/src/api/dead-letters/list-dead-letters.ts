import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, listOf, text, textOrNull } from '../../schema/fields.js';
import { deadLetter, deadLetterFilter } from './dead-letter.js';

const CURSOR = '4711';

export const listDeadLetters = defineRoute({
  operation: 'listDeadLetters',
  method: 'GET',
  path: '/v1/dead-letters',
  owner: 'data-plane',
  access: 'admin',
  console: true,
  tag: 'Operation',
  summary: 'List dead letters, oldest first',
  query: Type.Object({
    ...deadLetterFilter,
    limit: Type.Optional(
      integer('Letters per page; 1,000 when absent.', 1000, { minimum: 1, maximum: 1_000 }),
    ),
    cursor: Type.Optional(
      text('The next_cursor of the previous page.', CURSOR, { minLength: 1, maxLength: 20 }),
    ),
  }),
  response: Type.Object({
    dead_letters: listOf(deadLetter, 'The records.'),
    next_cursor: textOrNull('Cursor of the next page; null on the last page.', CURSOR),
  }),
});
