import { Type, type Static } from '@sinclair/typebox';
import { EVENT_TYPES, type EventType } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, integer, listOf, openObject, text } from '../../schema/fields.js';
import { eventPropertiesResponse, eventResponse } from '../events/event.js';
import { MAX_PAGE } from '../events/search-events.js';
import { comparedRunsPath } from './compare-runs.js';
import { runId } from './run.js';

/** Maximum and default number of pairs per page. */
export const MAX_EVENT_PAIRS = 1_000;

const pairQuery = {
  event_name: Type.Optional(text('Only events of this name.', 'answer')),
  event_type: Type.Optional(choice<EventType>(EVENT_TYPES, 'Only events of this type.', 'session')),
  filter: Type.Optional(
    openObject('Only events whose values at these dotted paths equal the given ones.', {
      'metadata.language': 'de',
    }),
  ),
  limit: Type.Optional(
    integer('Pairs per page.', 100, { minimum: 1, maximum: MAX_EVENT_PAIRS, default: MAX_EVENT_PAIRS }),
  ),
  page: Type.Optional(
    integer('Page number, starting at 1.', 1, { minimum: 1, maximum: MAX_PAGE, default: 1 }),
  ),
};
const currentQuery = Type.Object(pairQuery);
export type CompareRunEventsQuery = Static<typeof currentQuery>;

const eventPair = Type.Object(
  {
    datapoint_id: text('Id of the datapoint.', '65c13dbbd65fb876b7886cdb'),
    event_1: eventResponse,
    event_2: Type.Object(eventPropertiesResponse, { description: 'The event of the old run.' }),
  },
  { description: 'Events of both runs on one datapoint: event_1 of the new run, event_2 of the old one.' },
);

const pairPage = () =>
  Type.Object({
    events: listOf(eventPair, 'Pairs of the page, in the order of the datapoints of the old run.'),
    totalEvents: integer('Number of pairs, over all pages.', 1),
  });

export const compareRunEvents = defineRoute({
  operation: 'compareRunEvents',
  method: 'GET',
  path: '/v1/runs/{new_run_id}/compare/{old_run_id}/events',
  aliases: ['/runs/{new_run_id}/compare/{old_run_id}/events'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Pair the events of two runs by datapoint',
  params: comparedRunsPath,
  query: currentQuery,
  permissions: ['events:read'],
  response: pairPage(),
});

export const compareRunEventsByQuery = defineRoute({
  operation: 'compareRunEventsByQuery',
  method: 'GET',
  path: '/v1/runs/compare/events',
  aliases: ['/runs/compare/events'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Runs',
  summary: 'Pair the events of two runs, named in the query string, by datapoint',
  query: Type.Object({ run_id_1: runId(), run_id_2: runId(), ...pairQuery }),
  permissions: ['events:read'],
  response: pairPage(),
  successor: 'compareRunEvents',
});
