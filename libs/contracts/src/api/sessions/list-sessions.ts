import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { dateRange } from '../events/date-range.js';
import { runFilters } from '../runs/run-filters.js';
import { flag, integer, listOf, text, textOrNull } from '../../schema/fields.js';
import { MAX_PREVIEW_CHARS, sessionPreviewFields } from '../events/page-events.js';
import { sessionSummary } from './session-summary.js';

const CURSOR = '1795255200000_0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';

/** Longest text of a time. */
const MAX_TIME = 40;
const time = (description: string, example: string) => text(description, example, { maxLength: MAX_TIME });
const from = () =>
  time(
    'Only sessions that started at or after this time, or on this day, ISO 8601.',
    '2026-11-01T00:00:00.000Z',
  );
const to = () =>
  time(
    'Only sessions that started at or before this time, or until the end of this day, ISO 8601.',
    '2026-11-08',
  );

const listSessionsQuery = Type.Object({
  from: Type.Optional(from()),
  to: Type.Optional(to()),
  $gte: Type.Optional(from()),
  $lte: Type.Optional(to()),
  dateRange: Type.Optional(dateRange),
  filters: Type.Optional(
    runFilters('Conditions on the event of the session, with the values that it derives; all must hold.'),
  ),
  source: Type.Optional(text('Only sessions of this source.', 'prod', { minLength: 1, maxLength: 200 })),
  run_id: Type.Optional(
    text(
      'Only sessions with an event of this run, and those that it lists.',
      '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
      {
        minLength: 1,
        maxLength: 200,
      },
    ),
  ),
  preview_chars: Type.Optional(
    integer('Characters of the previews of what each session began with; none when absent.', 200, {
      minimum: 0,
      maximum: MAX_PREVIEW_CHARS,
    }),
  ),
  limit: Type.Optional(integer('Sessions per page; 50 when absent.', 50, { minimum: 1, maximum: 100 })),
  cursor: Type.Optional(
    text('The next_cursor of the previous page.', CURSOR, { minLength: 1, maxLength: 100 }),
  ),
});
export type ListSessionsQuery = Static<typeof listSessionsQuery>;

const sessionRow = Type.Object(
  { ...sessionSummary.properties, ...sessionPreviewFields },
  { $id: 'SessionRow', description: 'A session of a list.' },
);

export const listSessions = defineRoute({
  operation: 'listSessions',
  method: 'GET',
  path: '/v1/sessions',
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Sessions',
  summary: 'List sessions, newest first',
  query: listSessionsQuery,
  response: Type.Object({
    sessions: listOf(sessionRow, 'The sessions of the page.'),
    next_cursor: textOrNull('Cursor of the next page; null on the last page.', CURSOR),
    redacted: flag(
      'Whether the control plane answered from redacted summaries; names may then be empty or missing.',
      false,
    ),
  }),
});
