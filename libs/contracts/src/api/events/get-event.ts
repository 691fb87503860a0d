import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { choice } from '../../schema/fields.js';
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
  query: Type.Object({
    media: Type.Optional(
      choice(
        ['text', 'link'],
        'What large base64 texts are: the text, or an object with the address of the content as `media`, its `type` and `bytes`.',
        'link',
      ),
    ),
  }),
  response: Type.Object({ event: eventResponse }),
});
