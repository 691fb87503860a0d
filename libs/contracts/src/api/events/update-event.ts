import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { anyJson, success } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import * as field from './event-fields.js';
import { eventPath } from './event-path.js';

const { inputs, event_name, event_type, source, ...others } = field.updatableFields();

/** The fields that an update may set. Null leaves the inputs, the error and what names the event unchanged. */
export const updateFields = {
  ...others,
  ...orNull({ inputs, event_name, event_type, source }),
  start_time: Type.Optional(
    anyJson(
      'Start time of the step, in Unix milliseconds; a value that is not a number is ignored.',
      1795255200000,
    ),
  ),
  error: Type.Optional(field.anyError()),
  outputs: Type.Optional(
    anyJson(
      'Replaces the outputs; null leaves them unchanged, a value that is not an object is stored as {"value": ...}.',
      {
        answer: 'Paris',
      },
    ),
  ),
};

/** Unknown fields are accepted, and named in the response. */
export const updateEventRequest = Type.Object(updateFields, {
  $id: 'UpdateEventRequest',
  description: 'Fields to merge into the event.',
});
export type UpdateEventRequest = Static<typeof updateEventRequest>;

/** Response of an update. */
export const updatedEvent = () =>
  Type.Object({
    success: success(),
    event_id: field.eventId(),
    ignored: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Names of sent values that the update does not apply, at most 100, each cut to 100 characters; absent when all are applied. Null is not named.',
        examples: [['parent_id']],
      }),
    ),
  });

export const updateEvent = defineRoute({
  operation: 'updateEvent',
  method: 'PUT',
  path: '/v1/events/{event_id}',
  aliases: ['/events/{event_id}'],
  owner: 'ingestion',
  access: 'ingest',
  console: true,
  tag: 'Events',
  summary: 'Update an event, including one that has not arrived yet',
  params: eventPath,
  body: updateEventRequest,
  response: updatedEvent(),
});
