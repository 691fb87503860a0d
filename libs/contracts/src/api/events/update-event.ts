import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { anyJson, success } from '../../schema/fields.js';
import * as field from './event-fields.js';
import { eventPath } from './event-path.js';

/** The fields that an update may set. */
export const updateFields = {
  ...field.updatableFields(),
  outputs: Type.Optional(
    anyJson(
      'Replaces the outputs; null leaves them unchanged, a value that is not an object is stored as {"value": ...}.',
      {
        answer: 'Paris',
      },
    ),
  ),
};

/** Unknown fields are ignored. */
export const updateEventRequest = Type.Object(updateFields, {
  $id: 'UpdateEventRequest',
  description: 'Fields to merge into the event.',
});
export type UpdateEventRequest = Static<typeof updateEventRequest>;

export const updateEvent = defineRoute({
  operation: 'updateEvent',
  method: 'PUT',
  path: '/v1/events/{event_id}',
  aliases: ['/events/{event_id}'],
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Events',
  summary: 'Update an event, including one that has not arrived yet',
  params: eventPath,
  body: updateEventRequest,
  response: Type.Object({ success: success(), event_id: field.eventId() }),
});
