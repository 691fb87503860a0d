import { Type } from '@sinclair/typebox';
import { defineRoute } from '../../route.js';
import { integer, listOf, openObject } from '../../schema/fields.js';
import { numberOrNull } from '../../schema/resource-fields.js';
import { dateRange } from '../events/date-range.js';
import { decision } from '../events/list-event-evaluations.js';
import { metricPath } from './metric.js';

const decisionCount = Type.Object(
  {
    decision: decision(),
    events: integer('Number of events.', 12),
    error_codes: openObject('Number of events by the code of their failure; empty without failures.', {}),
    cost: numberOrNull('Cost in US dollars; null when that of one is unknown.', 0.25),
  },
  { description: 'How many events have a decision.' },
);

export const listMetricDecisions = defineRoute({
  operation: 'listMetricDecisions',
  method: 'GET',
  path: '/v1/metrics/{metric_id}/decisions',
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'Count the stored decisions of a metric by kind',
  params: metricPath,
  query: Type.Object({ dateRange: Type.Optional(dateRange) }),
  response: Type.Object({
    decisions: listOf(
      decisionCount,
      'Newest decision of each event, within the range of times of decisions. Events that a rule excludes from the start have none.',
    ),
    total: integer('Number of events with a decision.', 12),
  }),
});
