import { Type, type Static } from '@sinclair/typebox';
import { EVALUATION_DECISIONS, type JsonValue } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, integer, listOf, text } from '../../schema/fields.js';
import { numberOrNull, resourceId } from '../../schema/resource-fields.js';
import { eventPropertiesResponse } from '../events/event.js';
import * as field from '../events/event-fields.js';

/** Maximum number of events in one request. */
export const MAX_MOVED_EVENTS = 500;

/** Longest texts and largest numbers that an evaluator writes, or a column holds. */
const MAX = {
  name: 200,
  reason: 3_000,
  explanation: 100_000,
  value: 200_000,
  attempts: 255,
  time: 8_640_000_000_000_000,
};
const name = (description: string, example: string) => text(description, example, { maxLength: MAX.name });
const count = (description: string, maximum = Number.MAX_SAFE_INTEGER) =>
  integer(description, 0, { minimum: 0, maximum });
const milliseconds = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: MAX.time, description, examples: [example] });

const score = () =>
  Type.Unsafe<JsonValue>({
    type: ['number', 'boolean', 'string', 'null'],
    maxLength: MAX.value,
    description: 'The score; null without one.',
    examples: [0.5],
  });
const ENDED = EVALUATION_DECISIONS.filter((decision) => decision !== 'pending');

/** An evaluation that has ended. Its place in the list says which one is newer, the last one is the newest. */
const movedEvaluation = Type.Object(
  {
    metric_id: resourceId('Id of the metric.'),
    metric_version: name('Name of the version.', 'v1'),
    metric_name: name('Name of the metric.', 'accuracy'),
    decision: choice(ENDED, 'How it has ended.', 'scored'),
    reason: text('Why; empty without a reason.', '', { maxLength: MAX.reason }),
    value: score(),
    explanation: text('Explanation of the score; empty without one.', '', { maxLength: MAX.explanation }),
    error_code: name('Code of the failure; empty without one.', ''),
    duration_ms: milliseconds('Milliseconds it took.', 12),
    cost: numberOrNull('US dollars; null: unknown.', 0.01),
    prompt_tokens: count('Tokens of the prompt.'),
    completion_tokens: count('Tokens of the reply.'),
    attempts: count('Requests to a model.', MAX.attempts),
    fingerprint: name('Identifies what was evaluated.', '9f86d081'),
    decided_at: milliseconds('Unix milliseconds.', 1795255200000),
    job_id: name('The job that asked for it; empty without one.', ''),
  },
  { $id: 'MovedEvaluation', description: 'An evaluation as it moves.', additionalProperties: false },
);
export type MovedEvaluation = Static<typeof movedEvaluation>;
const evaluations = () => listOf(movedEvaluation, 'Evaluations of the event, oldest first.');

const exportEvaluationsRequest = Type.Object(
  {
    event_ids: Type.Array(field.eventId(), {
      description: 'Ids of events.',
      examples: [['0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e']],
      minItems: 1,
      maxItems: MAX_MOVED_EVENTS,
    }),
  },
  { $id: 'ExportEvaluationsRequest', description: 'Events to read.', additionalProperties: false },
);
export type ExportEvaluationsRequest = Static<typeof exportEvaluationsRequest>;

export const exportEvaluations = defineRoute({
  operation: 'exportEvaluations',
  method: 'POST',
  path: '/v1/transfers/evaluations',
  readOnly: true,
  owner: 'data-plane',
  access: 'project',
  tag: 'Transfers',
  summary: 'Say which events exist, and read their evaluations as an export contains them',
  permissions: ['events:read', 'metrics:read'],
  body: exportEvaluationsRequest,
  response: Type.Object({
    events: listOf(
      Type.Object(
        { event_id: field.eventId(), evaluations: evaluations() },
        { description: 'An event that exists.' },
      ),
      'Those of the events that exist, as far as the response has room.',
    ),
    unread: Type.Array(field.eventId(), {
      description: 'Events that the response had no room for: ask for these again.',
      examples: [[]],
    }),
  }),
});

const EXAMPLE = {
  event_id: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
  session_id: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
  event_type: 'session',
  start_time: 1795255200000,
};
const movedEvent = Type.Object(
  {
    event: Type.Object(
      {
        ...Type.Partial(Type.Object(eventPropertiesResponse)).properties,
        event_id: field.eventId(),
        session_id: field.sessionId(),
        event_type: field.eventType(),
        start_time: field.fieldSchema('start_time'),
      },
      { description: 'The event, as an export of events has it.', additionalProperties: false },
    ),
    evaluations: evaluations(),
  },
  { description: 'An event with its evaluations.', additionalProperties: false },
);
export type MovedEvent = Static<typeof movedEvent>;

export const importEventsRequest = Type.Object(
  {
    events: Type.Array(movedEvent, {
      description: 'The events.',
      examples: [[{ event: EXAMPLE, evaluations: [] }]],
      minItems: 1,
      maxItems: MAX_MOVED_EVENTS,
    }),
  },
  { $id: 'ImportEventsRequest', description: 'Events of an export.', additionalProperties: false },
);
export type ImportEventsRequest = Static<typeof importEventsRequest>;

export const importEvents = defineRoute({
  operation: 'importEvents',
  method: 'PUT',
  path: '/v1/transfers/events',
  owner: 'ingestion',
  access: 'project',
  tag: 'Transfers',
  summary: 'Store events of an export unchanged, with their evaluations',
  permissions: ['events:write', 'metrics:write'],
  body: importEventsRequest,
  response: Type.Object({ stored: integer('Events that were stored.', 1, { minimum: 0 }) }),
});
