import { Type } from '@sinclair/typebox';
import { EVENT_SHAPE, type Bucket } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, flag, openObject } from '../../schema/fields.js';
import * as field from './event-fields.js';

export const getEventPayload = defineRoute({
  operation: 'getEventPayload',
  method: 'GET',
  path: '/v1/events/{event_id}/payload/{field}',
  aliases: ['/events/{event_id}/payload/{field}'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'Read one object of an event as stored, whole or in byte ranges',
  params: Type.Object({
    event_id: field.eventId(),
    field: choice<Bucket>(EVENT_SHAPE.buckets, 'The object to read.', 'inputs'),
  }),
  query: Type.Object({
    download: Type.Optional(flag('Whether a browser should save the response as a file.', true)),
  }),
  response: openObject('The object.', { question: 'What is the capital of France?' }),
});
