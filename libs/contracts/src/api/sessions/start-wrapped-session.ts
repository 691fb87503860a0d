import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { objectOrText } from '../../schema/lenient.js';
import { lenientSession } from './lenient-session.js';
import { startedSession } from './start-session.js';

export const startWrappedSessionRequest = Type.Object(
  { session: objectOrText(lenientSession()) },
  { $id: 'StartWrappedSessionRequest', description: 'The session to start, as an object or as JSON text.' },
);
export type StartWrappedSessionRequest = Static<typeof startWrappedSessionRequest>;

export const startWrappedSession = defineRoute({
  operation: 'startWrappedSession',
  method: 'POST',
  path: '/session/start',
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Sessions',
  summary: 'Start a session, wrapped in an object',
  body: startWrappedSessionRequest,
  repeatable: true,
  response: startedSession,
  successor: 'startSession',
});
