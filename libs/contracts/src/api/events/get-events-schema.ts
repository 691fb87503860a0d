import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { uuid } from '../../schema/fields.js';
import { dateRange } from './date-range.js';
import { eventSchemaResponse } from './event-schema.js';

export const getEventsSchema = defineRoute({
  operation: 'getEventsSchema',
  method: 'GET',
  path: '/v1/events/schema',
  aliases: ['/events/schema'],
  describedAliases: ['/events/schema'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'List the fields that events have',
  query: Type.Object({
    dateRange: Type.Optional(dateRange),
    evaluation_id: Type.Optional(uuid('Only events of this experiment run.')),
  }),
  response: eventSchemaResponse,
});
