import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { orNull } from '../../schema/lenient.js';
import * as field from './event-fields.js';
import { updateFields, updatedEvent } from './update-event.js';

export const updateEventByBodyRequest = Type.Object(
  { event_id: field.eventId(), ...orNull(updateFields) },
  {
    $id: 'UpdateEventByBodyRequest',
    description:
      'The event and the fields to merge into it. Unknown fields are accepted, and named in the response.',
  },
);
export type UpdateEventByBodyRequest = Static<typeof updateEventByBodyRequest>;

export const updateEventByBody = defineRoute({
  operation: 'updateEventByBody',
  method: 'PUT',
  path: '/events',
  aliases: ['/v1/events'],
  owner: 'ingestion',
  access: 'ingest',
  tag: 'Events',
  summary: 'Update the event or session identified in the body',
  body: updateEventByBodyRequest,
  response: updatedEvent(),
  successor: 'updateEvent',
});
