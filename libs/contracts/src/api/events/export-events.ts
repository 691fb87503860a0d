import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, integer, listOf, text, textList } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import { dateRange } from './date-range.js';
import { eventPropertiesResponse } from './event.js';
import * as field from './event-fields.js';
import { filterProperties } from './filter.js';
import { MAX_PAGE } from './search-events.js';

/** Maximum number of events per page of an export. A higher limit is lowered to it. */
export const EXPORT_LIMIT = 7500;

const { field: filterField, ...filterRest } = filterProperties;
const lenientFilter = Type.Object(
  { field: filterField, ...orNull(filterRest) },
  { description: 'One condition. Names that are not listed are ignored.' },
);

const exportFields = {
  filters: listOf(lenientFilter, 'Conditions; all must hold.', [
    { field: 'event_type', operator: 'is', value: 'model', type: 'string' },
  ]),
  dateRange,
  projections: textList(
    'Fields to return, also dotted ones; event_id is always among them. All fields when empty or absent.',
    ['inputs'],
  ),
  limit: integer(`Events per page; more than ${EXPORT_LIMIT} is taken as ${EXPORT_LIMIT}.`, 100, {
    minimum: 1,
    default: 1000,
  }),
  page: integer('Number of the page, from 1.', 1, { minimum: 1, maximum: MAX_PAGE, default: 1 }),
  ignore_order: flag('Whether the events may come in any order, which is faster.', false),
  evaluation_id: text('Only events of this experiment run.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
};

export const exportEventsRequest = Type.Object(orNull(exportFields), {
  $id: 'ExportEventsRequest',
  description: 'Which events to return, and which of their fields. Names that are not listed are ignored.',
});
export type ExportEventsRequest = Static<typeof exportEventsRequest>;

/** Event reduced to the requested fields. */
const exportedEvent = Type.Object(
  { ...Type.Partial(Type.Object(eventPropertiesResponse)).properties, event_id: field.eventId() },
  { $id: 'ExportedEvent', description: 'An event, or those of its fields that were asked for.' },
);

const exportedPage = () =>
  Type.Object({
    events: listOf(
      exportedEvent,
      'The events of the page, newest start time first unless the order is ignored.',
    ),
    count: integer('Number of events that match, over all pages.', 1),
    totalEvents: integer('Equal to count.', 1),
  });

export const exportEvents = defineRoute({
  operation: 'exportEvents',
  method: 'POST',
  path: '/v1/events/export',
  aliases: ['/events/export'],
  owner: 'data-plane',
  access: 'project',
  tag: 'Events',
  summary: 'Find events, in larger pages and with chosen fields',
  body: exportEventsRequest,
  response: exportedPage(),
  successor: 'searchEvents',
});

/** The same request as a query string. */
export const listEvents = defineRoute({
  operation: 'listEvents',
  method: 'GET',
  path: '/v1/events',
  aliases: ['/events'],
  owner: 'data-plane',
  access: 'project',
  tag: 'Events',
  summary: 'Find events by query string',
  query: Type.Partial(Type.Object(exportFields)),
  response: exportedPage(),
});
