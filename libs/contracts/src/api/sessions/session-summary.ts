import { Type, type Static } from '@sinclair/typebox';
import { EVENT_TYPES, type EventType } from '@assay/domain';
import { choice, integer, listOf, milliseconds, text, textList, uuid } from '../../schema/fields.js';
import { numberIn, numberOrNull, unpricedModels } from '../../schema/resource-fields.js';

const count = (description: string, example = 1) => integer(description, example, { minimum: 0 });
const timeOrNull = (description: string, example: number) =>
  Type.Unsafe<number | null>({
    ...Type.Number(),
    type: ['number', 'null'],
    description,
    examples: [example],
  });

const eventNameCount = Type.Object(
  {
    event_type: choice<EventType>(EVENT_TYPES, 'Type of the events.', 'model'),
    event_name: text('Their name, at most 200 characters.', 'answer_question'),
    count: count('Number of events.'),
  },
  { description: 'How many events have this type and name.' },
);

const metricTotals = Type.Object(
  {
    name: text('Name of the metric, at most 200 characters.', 'accuracy'),
    count: count('Number of values.'),
    sum: numberIn('Sum of the values; true counts as 1.', 0.5),
    min: numberIn('Smallest value.', 0.5),
    max: numberIn('Largest value.', 0.5),
  },
  { description: 'The values of one metric.' },
);

const dayCount = Type.Object(
  {
    day: text('Day (UTC) on which the events started.', '2026-11-22', { maxLength: 10 }),
    num_events: count('Number of events.'),
    num_model_events: count('Number of model events.'),
    num_errors: Type.Optional(count('Events that ended with an error.', 0)),
    prompt_tokens: Type.Optional(numberIn('Prompt tokens that the model events report.', 412)),
    completion_tokens: Type.Optional(numberIn('Completion tokens that they report.', 96)),
    total_tokens: Type.Optional(numberIn('Total tokens that they report.', 508)),
    cost: Type.Optional(
      numberOrNull('Cost that they report, USD; null when the cost of one is unknown.', 0.01),
    ),
    unpriced_models: Type.Optional(unpricedModels('The models of these; absent when the cost is known.')),
  },
  { description: 'The events of one day.' },
);

/** Summary of one session: bounded in size, and without any inputs and outputs. */
export const sessionSummary = Type.Object(
  {
    session_id: uuid('Id of the session.'),
    session_name: text('Name of the session.', 'chat'),
    source: text('Where the session comes from.', 'prod'),
    start_time: milliseconds('Start of the session, Unix milliseconds.', 1795255200000),
    end_time: timeOrNull(
      'End of the session, or else of its last event, Unix milliseconds; null while unknown.',
      1795255200250,
    ),
    duration: timeOrNull('Milliseconds between both; null while unknown.', 250),
    num_events: count('Events other than the session itself.'),
    num_model_events: count('Model events among them.'),
    num_tool_events: count('Tool events among them.'),
    num_chain_events: count('Chain events among them.'),
    num_errors: count('Events among them that ended with an error.', 0),
    event_names: listOf(eventNameCount, 'The 20 most frequent names.'),
    metrics: listOf(metricTotals, 'Numeric metrics of the session and its events, at most 50, by name.'),
    run_ids: textList('Runs that the session or one of its events belongs to, at most 20.', []),
    days: listOf(dayCount, 'Number of events by day, newest first, at most 366.'),
  },
  { $id: 'SessionSummary', description: 'A summary of a session.' },
);
export type SessionSummaryResponse = Static<typeof sessionSummary>;
