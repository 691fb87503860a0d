import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { deadLetter, deadLetterIdText } from './dead-letter.js';

export const deadLetterPath = Type.Object({ dead_letter_id: deadLetterIdText });

export const getDeadLetter = defineRoute({
  operation: 'getDeadLetter',
  method: 'GET',
  path: '/v1/dead-letters/{dead_letter_id}',
  owner: 'data-plane',
  access: 'admin',
  console: true,
  tag: 'Operation',
  summary: 'Get a dead letter',
  params: deadLetterPath,
  response: deadLetter,
});
