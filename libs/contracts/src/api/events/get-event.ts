import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { eventResponse } from './event.js';
import { eventPath } from './event-path.js';

export const getEvent = defineRoute({
  operation: 'getEvent',
  method: 'GET',
  path: '/v1/events/{event_id}',
  aliases: ['/events/{event_id}'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'Read one event',
  params: eventPath,
  response: Type.Object({ event: eventResponse }),
});
