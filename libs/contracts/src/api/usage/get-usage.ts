import { Type, type Static } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, listOf, text } from '../../schema/fields.js';
import { numberIn, numberOrNull, unpricedModels } from '../../schema/resource-fields.js';
import { dateRange } from '../events/date-range.js';

const count = (description: string, example = 1) => integer(description, example, { minimum: 0 });
const amounts = {
  num_events: count('Events other than sessions.', 100),
  num_model_events: count('Model events among them.', 40),
  num_sessions: count('Sessions.', 10),
  num_errors: count('Events that ended with an error.', 2),
  prompt_tokens: numberIn('Prompt tokens that the model events report.', 41200),
  completion_tokens: numberIn('Completion tokens that they report.', 9600),
  total_tokens: numberIn('Total tokens that they report.', 50800),
  cost: numberOrNull('Cost that they report, USD; null when the cost of one is unknown.', 1.25),
  unpriced_models: unpricedModels('The models of these; empty when the cost is known.'),
};
const usageDay = Type.Object(
  {
    day: text('Day (UTC) of the start of events and sessions.', '2026-11-22', { maxLength: 10 }),
    ...amounts,
  },
  { description: 'What the project used on one day.' },
);

const getUsageQuery = Type.Object({ dateRange: Type.Optional(dateRange) });
export type GetUsageQuery = Static<typeof getUsageQuery>;

export const getUsage = defineRoute({
  operation: 'getUsage',
  method: 'GET',
  path: '/v1/usage',
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Usage',
  summary: 'Count events, sessions, tokens, cost and errors by day',
  query: getUsageQuery,
  response: Type.Object({
    days: listOf(usageDay, 'The days with events or sessions, oldest first, at most 366.'),
    total: Type.Object(amounts, { description: 'The sum of the days.' }),
  }),
});
