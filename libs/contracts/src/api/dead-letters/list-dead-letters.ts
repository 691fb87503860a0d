import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, listOf, text } from '../../schema/fields.js';

/** Dead letter: the record's origin and the reason, never its content. */
const deadLetter = Type.Object(
  {
    event_id: text('Key of the record: the id of its event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    group: text('Consumer group that failed on the record.', 'store'),
    error_class: text('Class of the failure.', 'VALIDATION_ERROR'),
    partition: integer('Partition of the record.', 0),
    offset: integer('Its place there.', 4711),
    bytes: integer('Size of the value.', 2048),
  },
  { $id: 'DeadLetter', description: 'A record that failed permanently.' },
);

export const listDeadLetters = defineRoute({
  operation: 'listDeadLetters',
  method: 'GET',
  path: '/v1/dead-letters',
  owner: 'data-plane',
  access: 'admin',
  tag: 'Operation',
  summary: 'List dead letters, oldest first, at most 1,000',
  response: Type.Object({ dead_letters: listOf(deadLetter, 'The records.') }),
});
