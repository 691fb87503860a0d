import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { flag, integer, listOf, text } from '../../schema/fields.js';
import { eventResponse } from './event.js';
import { dateRange } from './date-range.js';
import { listOrText, strictFilter } from './filter.js';

/** Default and maximum number of events per page of a search. */
export const SEARCH_LIMIT = 1000;
/** Highest page number, so that the offset remains an exact integer. */
export const MAX_PAGE = 1_000_000_000;

export const searchEventsRequest = Type.Object(
  {
    filters: Type.Optional(
      listOrText(
        listOf(strictFilter, 'Conditions, as a list or its JSON text; all must hold.', [
          { field: 'event_type', operator: 'is', value: 'model' },
        ]),
      ),
    ),
    dateRange: Type.Optional(dateRange),
    limit: Type.Optional(
      integer('Events per page.', 100, { minimum: 1, maximum: SEARCH_LIMIT, default: SEARCH_LIMIT }),
    ),
    page: Type.Optional(
      integer('Page number, starting at 1.', 1, { minimum: 1, maximum: MAX_PAGE, default: 1 }),
    ),
    ignore_order: Type.Optional(
      flag('Accepted; has no effect, because events are always ordered by start time, newest first.', false),
    ),
    evaluation_id: Type.Optional(
      text('Only events of this experiment run.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    ),
  },
  { $id: 'SearchEventsRequest', description: 'Events to return.', additionalProperties: false },
);
export type SearchEventsRequest = Static<typeof searchEventsRequest>;

/** Page of events. `count` and `totalEvents` are the number of matching events over all pages. */
export const eventPage = Type.Object({
  events: listOf(eventResponse, 'Events of the page, newest start time first.'),
  count: integer('Number of events that match, over all pages.', 1),
  totalEvents: integer('Equal to count.', 1),
});

export const searchEvents = defineRoute({
  operation: 'searchEvents',
  readOnly: true,
  method: 'POST',
  path: '/v1/events/search',
  aliases: ['/events/search'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'Find events',
  body: searchEventsRequest,
  response: eventPage,
});
