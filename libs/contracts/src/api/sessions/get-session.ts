import { Type } from '@sinclair/typebox';
import type { SessionNode } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { eventPropertiesResponse } from '../events/event.js';
import { sessionPath } from './session-path.js';

/** Session with the tree of its events. */
export const sessionTree = Type.Object(
  {
    ...eventPropertiesResponse,
    children: Type.Unsafe<SessionNode[]>({
      type: 'array',
      items: { type: 'object' },
      description: 'Child events, oldest first, each with its own children.',
      examples: [[]],
    }),
  },
  {
    $id: 'SessionTree',
    description:
      'A session and its events as a tree. Events with a missing parent, or in a cycle, are children of the session.',
  },
);

export const getSession = defineRoute({
  operation: 'getSession',
  method: 'GET',
  path: '/v1/sessions/{session_id}',
  aliases: ['/sessions/{session_id}', '/session/{session_id}'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Sessions',
  summary: 'Read a session as a tree of its events',
  params: sessionPath,
  response: sessionTree,
});
