import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { success, uuid } from '../../schema/fields.js';
import { eventPath } from './event-path.js';

export const deleteEvent = defineRoute({
  operation: 'deleteEvent',
  method: 'DELETE',
  path: '/v1/events/{event_id}',
  aliases: ['/events/{event_id}'],
  owner: 'ingestion',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'Delete an event',
  params: eventPath,
  response: Type.Object({ success: success(), deleted: uuid('Id of the event that was deleted.') }),
});
