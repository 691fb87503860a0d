import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, openObject, text, textList } from '../../schema/fields.js';
import { numberIn } from '../../schema/resource-fields.js';
import {
  cursorText,
  narrowEventFields,
  nextCursor,
  previewChars,
  sessionPreviewFields,
} from '../events/page-events.js';
import { sessionPath } from './session-path.js';

/** Maximum and default number of events of one tree. */
export const MAX_TREE_EVENTS = 20_000;

const numbers = (description: string, example: number[]) =>
  Type.Array(Type.Number(), { description, examples: [example] });
const numbersOrNull = (description: string, example: (number | null)[]) =>
  Type.Unsafe<(number | null)[]>({
    type: 'array',
    items: { type: ['number', 'null'] },
    description,
    examples: [example],
  });

const narrowEvent = Type.Object({ ...narrowEventFields, ...sessionPreviewFields });

const columns = Type.Object(
  {
    ids: text('Ids of the events, 16 bytes each, as one base64 text.', 'C1+dDH8KT2acGz8fjwodLg=='),
    name: numbers('Indexes into names.', [0]),
    type: numbers('Indexes into types.', [0]),
    kind: numbers('Indexes into kinds; -1 for events without one.', [-1]),
    model: numbers('Indexes into models; -1 for events without one.', [0]),
    parent: numbers(
      'Rows of the parents; -1 for events below the session and for those in outside_parents.',
      [-1],
    ),
    start: numbers('Start of each event, in milliseconds after start_time.', [0]),
    duration: numbersOrNull('Durations in milliseconds; null while unknown.', [250]),
    tokens: numbersOrNull('Values of metadata.total_tokens; null when absent.', [42]),
    cost: numbersOrNull('Values of metadata.cost, in USD; null when absent.', [0.0042]),
    errors: openObject('First 200 characters of the errors, by row.', { '0': 'timeout' }),
    scores: openObject('Numbers and booleans among the metrics, by row.', { '0': { accuracy: 0.9 } }),
    outside_parents: openObject('Parents that are not on this page, by row.', {
      '0': '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
    }),
  },
  { description: 'One list per property, with one entry per event, ordered by start.' },
);

export const getSessionTree = defineRoute({
  operation: 'getSessionTree',
  method: 'GET',
  path: '/v1/sessions/{session_id}/tree',
  aliases: ['/sessions/{session_id}/tree'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Sessions',
  summary: 'Read the events of a session in columns, without payloads',
  params: sessionPath,
  query: Type.Object({
    limit: Type.Optional(
      integer(`Events per page; ${MAX_TREE_EVENTS} when absent.`, 5_000, {
        minimum: 1,
        maximum: MAX_TREE_EVENTS,
      }),
    ),
    cursor: Type.Optional(cursorText('The next_cursor of the previous page.')),
    preview_chars: Type.Optional(previewChars()),
  }),
  response: Type.Object({
    session: Type.Unsafe<Static<typeof narrowEvent> | null>({
      ...narrowEvent,
      type: ['object', 'null'],
      description:
        'The session with roll-ups and previews in place of its payload; null on further pages, and while only its events are stored.',
    }),
    total: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Number of events, without the session itself; null on further pages.',
      examples: [5000],
    }),
    start_time: numberIn(
      'Start of the first event of the page, Unix milliseconds; 0 without events.',
      1795255200000,
    ),
    names: textList('Distinct names of the events, at most 200 characters each.', ['answer']),
    types: textList('Distinct types of the events.', ['model']),
    kinds: textList(
      'Distinct kinds: what the instrumentation calls the step (metadata.span_kind, else metadata.operation_name).',
      ['AGENT'],
    ),
    models: textList('Distinct models (config.model).', ['gpt-4o']),
    events: columns,
    next_cursor: nextCursor(),
  }),
});
