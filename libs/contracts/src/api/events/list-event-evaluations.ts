import { Type } from '@sinclair/typebox';
import { EVALUATION_DECISIONS, type EvaluationDecision } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { anyJson, choice, integer, listOf, text, textOrNull } from '../../schema/fields.js';
import { numberOrNull } from '../../schema/resource-fields.js';
import { eventPath } from './event-path.js';

const amount = (description: string, example: number) =>
  Type.Number({ description, examples: [example], minimum: 0 });

/** What was decided about an event and a metric. */
export const decision = () =>
  choice<EvaluationDecision>(
    EVALUATION_DECISIONS,
    'Whether the metric has scored the event, or why not: the evaluation waits or failed, or a rule of the metric excludes the event.',
    'scored',
  );

/** `not_evaluated`: no rule excludes the event, and it has neither an evaluation nor a score of a client. */
const EVENT_DECISIONS = [...EVALUATION_DECISIONS, 'not_evaluated'] as const;

const evaluation = Type.Object(
  {
    metric_id: text('Id of the metric.', '65c13dbbd65fb876b7886cdb'),
    metric_name: text('Name of the metric.', 'accuracy'),
    metric_version: text('Version of the metric.', 'v3'),
    decision: choice<EvaluationDecision | 'not_evaluated'>(
      EVENT_DECISIONS,
      'Whether the metric has scored the event, or why not. not_evaluated: the metric applies, and the event arrived before it was so, or a moment ago.',
      'scored',
    ),
    reason: text('Why, in words; empty when there is nothing to say.', 'line 2: NameError'),
    error_code: textOrNull('Code of the failure; null without one.', null),
    value: anyJson('The score; null without one.', 1),
    explanation: textOrNull('Explanation of the score; null without one.', null),
    duration_ms: amount('Time of the evaluation, in milliseconds.', 3.5),
    cost: numberOrNull('Cost in US dollars; null when it is unknown.', 0),
    prompt_tokens: integer('Tokens of the prompt.', 0),
    completion_tokens: integer('Tokens of the reply.', 0),
    attempts: integer('How often a judge was asked.', 0),
    decided_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'When it was decided, ISO 8601; null for a decision that is not stored.',
      examples: ['2026-11-01T00:00:00.000Z'],
    }),
  },
  { $id: 'Evaluation', description: 'What was decided about an event and a metric, and the result.' },
);

export const listEventEvaluations = defineRoute({
  operation: 'listEventEvaluations',
  method: 'GET',
  path: '/v1/events/{event_id}/evaluations',
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'List what every metric of the project has decided about an event',
  permissions: ['metrics:read'],
  params: eventPath,
  response: Type.Object({
    evaluations: listOf(
      evaluation,
      'Stored evaluations, and for the other metrics the rule that excludes the event now, or that none does.',
    ),
  }),
});
