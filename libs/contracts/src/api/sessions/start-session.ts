import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { text } from '../../schema/fields.js';
import { eventPropertiesResponse } from '../events/event.js';
import { sessionFields } from './session-properties.js';

/** Session in a request; every field is optional. Strict: an unknown field is rejected. */
export const startSessionRequest = Type.Object(sessionFields, {
  $id: 'StartSessionRequest',
  description: 'The session to start.',
  additionalProperties: false,
  unknownFieldHints: { session: 'this route takes the session itself, not wrapped' },
});
export type StartSessionRequest = Static<typeof startSessionRequest>;

/** Session in the response to its creation. */
export const startedSession = Type.Object(
  {
    ...eventPropertiesResponse,
    org_id: text('Id of the organisation that the project belongs to.', 'default'),
    workspace_id: text('Id of the workspace that the project belongs to.', 'default'),
    session_name: text('Name of the session, equal to event_name.', 'chat'),
  },
  { $id: 'Session', description: 'A session: the event at the root of a tree of events.' },
);
export type StartedSession = Static<typeof startedSession>;

export const startSession = defineRoute({
  operation: 'startSession',
  method: 'POST',
  path: '/v1/sessions',
  aliases: ['/sessions'],
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Sessions',
  summary: 'Start a session',
  body: startSessionRequest,
  repeatable: true,
  response: startedSession,
});
