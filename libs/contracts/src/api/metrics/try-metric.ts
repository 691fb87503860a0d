import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { anyJson, flag, integer, listOf, milliseconds, text, textOrNull, uuid } from '../../schema/fields.js';
import { numberOrNull, resourceId } from '../../schema/resource-fields.js';
import { runnableMetric } from './run-metric.js';

/** Events that a metric is tried on in one request. */
export const MAX_TRIED_EVENTS = 50;
/** Newest events among which those that match are counted. */
export const MATCHED_AMONG = 1_000;
/** Events that a metric is tried on when the request names neither ids nor a number. */
export const DEFAULT_TRIED_EVENTS = 10;

const tryMetricRequest = Type.Object(
  {
    metric: runnableMetric(),
    metric_id: Type.Optional(resourceId('Id of the metric that the draft changes, whose sample it has.')),
    event_ids: Type.Optional(
      Type.Array(uuid('Id of an event.'), {
        description: 'Events to evaluate, whether they match or not.',
        examples: [['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e']],
        minItems: 1,
        maxItems: MAX_TRIED_EVENTS,
      }),
    ),
    newest: Type.Optional(
      integer(
        'Without `event_ids`: how many of the newest events that match are evaluated.',
        DEFAULT_TRIED_EVENTS,
        {
          minimum: 1,
          maximum: MAX_TRIED_EVENTS,
          default: DEFAULT_TRIED_EVENTS,
        },
      ),
    ),
  },
  {
    $id: 'TryMetricRequest',
    description: 'A draft of a metric, and the stored events that it is tried on.',
    additionalProperties: false,
  },
);
export type TryMetricRequest = Static<typeof tryMetricRequest>;

const failure = Type.Object(
  {
    code: text('Code of the failure.', 'execution_error'),
    message: text('Why, in words.', 'line 2: NameError'),
    line: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Line of the criteria; null when none is known.',
      examples: [2],
    }),
  },
  { description: 'Why there is no score.' },
);

const triedEvent = Type.Object(
  {
    event_id: uuid('Id of the event.'),
    event_name: text('Name of the event.', 'answer'),
    event_type: text('Type of the event.', 'model'),
    start_time: milliseconds('Start of the event, Unix milliseconds.', 1_790_000_000_000),
    matches: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        'Whether the event matches all filters of the metric; null when the filters need more work than an event may cause.',
      examples: [true],
    }),
    sampled: flag('Whether the event is in the sample of the metric.', true),
    value: anyJson('The score; null without one.', 1),
    explanation: textOrNull('Explanation of the score; null without one.', null),
    prompt: textOrNull('The rendered template, up to 65,536 characters; null without one.', null),
    reply: textOrNull('The reply of the model, up to 65,536 characters; null without one.', null),
    stdout: text('What the code printed, up to 64 KiB.', ''),
    error: Type.Union([failure, Type.Null()], {
      description: 'Null when there is a score.',
      examples: [null],
    }),
    duration_ms: milliseconds('Time of the evaluation, in milliseconds.', 3.5),
    cost: numberOrNull('Cost in US dollars; null when it is unknown.', 0),
    prompt_tokens: integer('Tokens of the prompt.', 0),
    completion_tokens: integer('Tokens of the reply.', 0),
  },
  { $id: 'TriedEvent', description: 'The result of a draft on one event.' },
);
export type TriedEvent = Static<typeof triedEvent>;

export const tryMetric = defineRoute({
  operation: 'tryMetric',
  method: 'POST',
  path: '/v1/metrics/try',
  owner: 'evaluator',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'Evaluate stored events by a draft of a metric; nothing is stored',
  permissions: ['events:read'],
  limits: bodyLimitsOf('metric'),
  body: tryMetricRequest,
  response: Type.Object({
    events: listOf(triedEvent, 'In the order of `event_ids`, otherwise newest first.'),
    missing_ids: Type.Array(uuid('Id of an event.'), {
      description: 'Ids of the request of which the project has no event.',
      examples: [[]],
    }),
    matched: Type.Object(
      {
        events: integer('Events that match.', 12),
        of: integer('Newest events that were considered, at most 1,000.', 1_000),
      },
      { description: 'How many of the newest events match the filters of the metric.' },
    ),
  }),
});
