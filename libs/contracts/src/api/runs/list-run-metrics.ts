import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, listOf, openObject, text } from '../../schema/fields.js';
import { dateRange } from '../events/date-range.js';
import { runFilters } from './run-filters.js';
import { eventKind } from './run-result.js';
import { runPath } from './run.js';

const scoredEvent = Type.Object(
  {
    event_id: text('Id of the event.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    ...eventKind,
    session_id: text('Id of the session.', '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e'),
    metadata: Type.Object(
      { datapoint_id: Type.Optional(text('Id of the datapoint.', '65c13dbbd65fb876b7886cdb')) },
      { description: 'Link of the event.' },
    ),
    metrics: openObject('Scores that are numbers or booleans, by name.', { accuracy: 1 }),
  },
  { description: 'An event with scores.' },
);

export const listRunMetrics = defineRoute({
  operation: 'listRunMetrics',
  method: 'GET',
  path: '/v1/runs/{run_id}/metrics',
  aliases: ['/runs/{run_id}/metrics'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'List the events of a run that have scores',
  permissions: ['events:read'],
  params: runPath,
  query: Type.Object({ dateRange: Type.Optional(dateRange), filters: Type.Optional(runFilters()) }),
  response: Type.Object({
    events: listOf(scoredEvent, 'The events, by session.'),
    totalEvents: integer('Number of events.', 1),
  }),
});
