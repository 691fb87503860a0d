import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, integer, listOf, text, textList } from '../../schema/fields.js';
import { orNull } from '../../schema/lenient.js';
import { dateRange } from './date-range.js';
import { eventPropertiesResponse } from './event.js';
import * as field from './event-fields.js';
import { filterProperties, listOrText } from './filter.js';
import { MAX_PAGE } from './search-events.js';

/** Maximum number of events per page of an export. A higher limit is lowered to it. */
export const EXPORT_LIMIT = 7500;

const { field: filterField, ...filterRest } = filterProperties;
const lenientFilter = Type.Object(
  { field: filterField, ...orNull(filterRest) },
  { description: 'A filter condition. Unknown fields are ignored.' },
);

const exportFields = {
  filters: listOf(lenientFilter, 'Conditions; all must hold.', [
    { field: 'event_type', operator: 'is', value: 'model', type: 'string' },
  ]),
  dateRange,
  projections: textList(
    'Fields to return, including dotted paths; event_id is always included. All fields when empty or absent.',
    ['inputs'],
  ),
  limit: integer(`Events per page; capped at ${EXPORT_LIMIT}.`, 100, {
    minimum: 1,
    default: 1000,
  }),
  page: integer('Page number, starting at 1.', 1, { minimum: 1, maximum: MAX_PAGE, default: 1 }),
  ignore_order: flag('Whether to skip ordering, which is faster.', false),
  evaluation_id: text('Only events of this experiment run.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
};

const bodyFields = { ...exportFields, filters: listOrText(exportFields.filters) };

export const exportEventsRequest = Type.Object(orNull(bodyFields), {
  $id: 'ExportEventsRequest',
  description: 'Query and selected fields. Unknown fields are ignored.',
});
export type ExportEventsRequest = Static<typeof exportEventsRequest>;

/** Event reduced to the requested fields. */
const exportedEvent = Type.Object(
  { ...Type.Partial(Type.Object(eventPropertiesResponse)).properties, event_id: field.eventId() },
  { $id: 'ExportedEvent', description: 'An event, or its requested fields.' },
);

const exportedPage = () =>
  Type.Object({
    events: listOf(exportedEvent, 'Events of the page, newest start time first unless ignore_order is true.'),
    count: integer('Number of events that match, over all pages.', 1),
    totalEvents: integer('Equal to count.', 1),
  });

export const exportEvents = defineRoute({
  operation: 'exportEvents',
  readOnly: true,
  method: 'POST',
  path: '/v1/events/export',
  aliases: ['/events/export'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'Export events in larger pages and with selected fields',
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
  console: true,
  tag: 'Events',
  summary: 'List events by query string',
  query: Type.Partial(Type.Object(exportFields)),
  response: exportedPage(),
});
