import { Type, type Static } from '@sinclair/typebox';
import { anyJson, text } from '../../schema/fields.js';
import * as field from '../events/event-fields.js';

/** Some clients send times as text, which is ignored instead of rejecting the session. */
const sessionTime = (description: string, example: number) =>
  anyJson(
    `${description}, in Unix milliseconds; a value that is not a number is treated as absent.`,
    example,
  );

/** Properties of a session on every route that starts one, each optional. */
export const sessionFields = {
  ...field.optionalFields(),
  session_name: Type.Optional(text('Name of the session.', 'chat')),
  event_name: Type.Optional(text('Name of the session when session_name is absent.', 'chat')),
  start_time: Type.Optional(sessionTime('Start time of the session', 1795255200000)),
  end_time: Type.Optional(sessionTime('End time of the session', 1795255200250)),
  inputs: Type.Optional(field.inputs()),
  outputs: Type.Optional(field.sentOutputs()),
  project: Type.Optional(text('Ignored: the key determines the project.', 'support-bot')),
  event_type: Type.Optional(text('Ignored: a session is always of type session.', 'session')),
};

/** Properties of the session that the events of a batch share. Unknown fields are ignored. */
export const sessionProperties = Type.Object(sessionFields, {
  description: 'The session that the events of the batch share.',
  examples: [{ session_name: 'chat' }],
});
export type SessionProperties = Static<typeof sessionProperties>;
