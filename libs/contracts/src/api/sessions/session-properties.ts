import { Type, type Static } from '@sinclair/typebox';
import { anyJson, text } from '../../schema/fields.js';
import * as field from '../events/event-fields.js';

/** Some clients send times as text: that says nothing, and is no reason to refuse a session. */
const sessionTime = (description: string, example: number) =>
  anyJson(
    `${description}, in Unix milliseconds; a value that is not a number is treated as absent.`,
    example,
  );

/** What a client may say about a session, on every route that starts one. Every property is optional. */
export const sessionFields = {
  session_id: Type.Optional(field.sessionId()),
  session_name: Type.Optional(text('Name of the session.', 'chat')),
  event_name: Type.Optional(text('Name of the session when session_name is absent.', 'chat')),
  source: Type.Optional(field.source()),
  start_time: Type.Optional(sessionTime('Start time of the session', 1795255200000)),
  end_time: Type.Optional(sessionTime('End time of the session', 1795255200250)),
  duration: Type.Optional(field.duration()),
  inputs: Type.Optional(field.inputs()),
  outputs: Type.Optional(field.sentOutputs()),
  children_ids: Type.Optional(field.childrenIds()),
  project: Type.Optional(text('Ignored: the key determines the project.', 'support-bot')),
  event_type: Type.Optional(text('Ignored: a session is always of type session.', 'session')),
  event_id: Type.Optional(field.eventId()),
  parent_id: Type.Optional(field.parentId()),
  error: Type.Optional(field.errorText()),
  ...field.optionalBuckets(),
};

/** Properties of the session that the events of a batch share. Names that are not listed are ignored. */
export const sessionProperties = Type.Object(sessionFields, {
  description: 'The session that the events of the batch share.',
  examples: [{ session_name: 'chat' }],
});
export type SessionProperties = Static<typeof sessionProperties>;
