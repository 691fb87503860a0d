import { Type, type Static } from '@sinclair/typebox';
import { MAX_CURSOR_LENGTH, SORT_ORDERS, type SortOrder } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, flag, integer, listOf, openObject, text, textOrNull } from '../../schema/fields.js';
import { numberIn } from '../../schema/resource-fields.js';
import { dateRange } from './date-range.js';
import * as field from './event-fields.js';
import { eventPropertiesResponse } from './event.js';
import { listOrText, strictFilter } from './filter.js';

/** Maximum and default number of events per page. */
export const MAX_PAGE_EVENTS = 500;
export const DEFAULT_PAGE_EVENTS = 100;
/** Maximum and default number of characters of a preview. */
export const MAX_PREVIEW_CHARS = 500;
export const DEFAULT_PREVIEW_CHARS = 200;
/** Maximum number of columns of a page. */
export const MAX_PAGE_COLUMNS = 50;

/** How many events match: exactly, at least, or not asked for. */
export const COUNT_MODES = ['approximate', 'exact', 'none'] as const;
export type CountMode = (typeof COUNT_MODES)[number];

const CURSOR = 'WyJldmVudHMgZGVzYyBzdGFydF90aW1lIiwxXQ';

/** A cursor in a request. */
export const cursorText = (description: string) =>
  text(description, CURSOR, { minLength: 1, maxLength: MAX_CURSOR_LENGTH });
/** The cursor of the next page in a response. */
export const nextCursor = () => textOrNull('Cursor of the next page; null on the last page.', CURSOR);

export const previewChars = () =>
  integer(`Characters of a preview; ${DEFAULT_PREVIEW_CHARS} when absent, 0 for no previews.`, 200, {
    minimum: 0,
    maximum: MAX_PREVIEW_CHARS,
  });

/** Conditions and dates of a request body, as in a search. */
export const conditionFields = {
  filters: Type.Optional(
    listOrText(
      listOf(strictFilter, 'Conditions, as a list or its JSON text; all must hold.', [
        { field: 'event_type', operator: 'is', value: 'model' },
      ]),
    ),
  ),
  dateRange: Type.Optional(dateRange),
};

const sort = Type.Object(
  {
    field: Type.Optional(
      text(
        'Number to sort by: start_time, end_time, duration, or a path into metadata, metrics, feedback or user_properties.',
        'metadata.cost',
        { minLength: 1, maxLength: 1000 },
      ),
    ),
    order: Type.Optional(choice<SortOrder>(SORT_ORDERS, 'Direction; desc when absent.', 'desc')),
  },
  {
    description: 'Order of the events, newest start first when absent. Events without the number come last.',
    additionalProperties: false,
  },
);

export const pageEventsRequest = Type.Object(
  {
    ...conditionFields,
    sort: Type.Optional(sort),
    limit: Type.Optional(
      integer(`Events per page; ${DEFAULT_PAGE_EVENTS} when absent.`, 100, {
        minimum: 1,
        maximum: MAX_PAGE_EVENTS,
      }),
    ),
    cursor: Type.Optional(cursorText('The next_cursor of the previous page.')),
    after: Type.Optional(
      cursorText('The newest_cursor of an earlier page: only events that started since then.'),
    ),
    columns: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
        description:
          'Fields and paths to return; all but inputs, outputs and config when absent. Paths into those three come as text in column_previews.',
        examples: [['event_name', 'metadata.cost', 'config.model']],
        maxItems: MAX_PAGE_COLUMNS,
      }),
    ),
    preview_chars: Type.Optional(previewChars()),
    count: Type.Optional(
      choice<CountMode>(
        COUNT_MODES,
        'Whether to count all matching events: approximate (default) stops at 10,000.',
        'approximate',
      ),
    ),
  },
  { $id: 'PageEventsRequest', description: 'Events to return.', additionalProperties: false },
);
export type PageEventsRequest = Static<typeof pageEventsRequest>;

/** The properties of an event that are not in its payload. Its children are found in the tree of its session. */
const {
  inputs: _inputs,
  outputs: _outputs,
  config: _config,
  children_ids: _children,
  ...narrowProperties
} = eventPropertiesResponse;

/** The fields of an event without its payload. */
export const narrowEventFields = {
  ...Type.Partial(Type.Object(narrowProperties)).properties,
  event_id: field.eventId(),
};

/** Previews of the first thing that a session was given and returned. */
export const sessionPreviewFields = {
  inputs_preview: Type.Optional(
    text('Beginning of the inputs as JSON text; absent without previews.', '{"question":"What is'),
  ),
  outputs_preview: Type.Optional(
    text('Beginning of the outputs as JSON text; absent without previews.', '{"answer":"Par'),
  ),
  preview_event_id: Type.Optional(
    text(
      'Of sessions: the event that the previews are of, the session itself if it has inputs or outputs, else its root event.',
      '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
    ),
  ),
};

export const eventRow = Type.Object(
  {
    ...narrowEventFields,
    ...sessionPreviewFields,
    column_previews: Type.Optional(
      openObject(
        'Beginnings of the values at the requested paths into inputs, outputs and config; null when absent.',
        { 'config.model': 'gpt-4o' },
      ),
    ),
    payload_bytes: integer('Bytes of inputs, outputs and config as stored.', 1200, { minimum: 0 }),
  },
  { $id: 'EventRow', description: 'An event without its payload, or its requested columns.' },
);
export type EventRowResponse = Static<typeof eventRow>;

const count = Type.Object(
  {
    value: integer('Number of matching events; a lower bound unless exact.', 1204, { minimum: 0 }),
    exact: flag('Whether the number is exact.', true),
  },
  { description: 'How many events match, over all pages; absent when count is none.' },
);

export const pageEvents = defineRoute({
  operation: 'pageEvents',
  readOnly: true,
  method: 'POST',
  path: '/v1/events/page',
  aliases: ['/events/page'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'Read a page of events without payloads, by cursor',
  body: pageEventsRequest,
  response: Type.Object({
    events: listOf(eventRow, 'Events of the page.'),
    next_cursor: nextCursor(),
    newest_cursor: textOrNull(
      'Value of after that returns what comes later; null on further pages and in other orders.',
      CURSOR,
    ),
    count: Type.Optional(count),
    elapsed_ms: numberIn('Time that the query took, in milliseconds.', 12),
  }),
});
