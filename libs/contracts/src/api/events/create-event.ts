import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success, text } from '../../schema/fields.js';
import * as field from './event-fields.js';

/** Event in a request. Strict: an unknown field is rejected. */
export const createEventRequest = Type.Object(
  {
    event_type: field.eventType(),
    inputs: field.inputs(),
    ...field.optionalFields(),
    outputs: Type.Optional(field.sentOutputs()),
    session_name: Type.Optional(field.sentSessionName()),
    project_id: Type.Optional(text('Ignored: the key determines the project.', '65c13dbbd65fb876b7886cdb')),
  },
  {
    $id: 'CreateEventRequest',
    description: 'An event to store.',
    additionalProperties: false,
    unknownFieldHints: {
      project: 'the project comes from the key',
      event: 'this route takes the event itself, not wrapped',
    },
  },
);
export type CreateEventRequest = Static<typeof createEventRequest>;

export const createEvent = defineRoute({
  operation: 'createEvent',
  method: 'POST',
  path: '/v1/events',
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Events',
  summary: 'Store one event',
  body: createEventRequest,
  repeatable: true,
  response: Type.Object({ success: success(), event_id: field.eventId(), session_id: field.sessionId() }),
});
