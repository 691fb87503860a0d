import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, success, text, textOrNull } from '../../schema/fields.js';

const CURSOR = '1795255200000_0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';

export const forwardSessionsRequest = Type.Object(
  {
    project_id: text('Project of the sessions.', '65c13dbbd65fb876b7886cdb', {
      minLength: 1,
      maxLength: 200,
    }),
    limit: Type.Optional(
      integer('Maximum number of sessions; 250 when absent.', 250, { minimum: 1, maximum: 1_000 }),
    ),
    cursor: Type.Optional(
      text('The next_cursor of the previous call; absent: from the newest session.', CURSOR, {
        minLength: 1,
        maxLength: 100,
      }),
    ),
  },
  {
    $id: 'ForwardSessionsRequest',
    description: 'Which stored sessions to forward to the control plane.',
    additionalProperties: false,
  },
);

export const forwardSessions = defineRoute({
  operation: 'forwardSessions',
  method: 'POST',
  path: '/v1/session-summaries/forward',
  owner: 'data-plane',
  access: 'admin',
  tag: 'Operation',
  summary: 'Forward summaries of stored sessions to the control plane, newest first',
  limits: { maxBodyBytes: 16_384, maxConcurrent: 1 },
  body: forwardSessionsRequest,
  response: Type.Object({
    success: success(),
    forwarded: integer('Number of sessions.', 250),
    next_cursor: textOrNull('Cursor of the next call; null after the last session.', CURSOR),
  }),
});
