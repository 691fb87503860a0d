import { Type, type Static } from '@sinclair/typebox';
import { bodyLimitsOf } from '../../resource-limits.js';
import { defineRoute } from '../../route.js';
import { listOf } from '../../schema/fields.js';
import { dateRange } from '../events/date-range.js';
import { strictFilter } from '../events/filter.js';
import { jobResponse } from '../jobs/job.js';
import { metricPath } from './metric.js';

const evaluateStoredEventsRequest = Type.Object(
  {
    filters: Type.Optional(
      listOf(strictFilter, 'Conditions besides those of the metric; all must hold.', [
        { field: 'event_type', operator: 'is', value: 'model' },
      ]),
    ),
    dateRange: Type.Optional(dateRange),
  },
  {
    $id: 'EvaluateStoredEventsRequest',
    description: 'Stored events to evaluate.',
    additionalProperties: false,
  },
);
export type EvaluateStoredEventsRequest = Static<typeof evaluateStoredEventsRequest>;

export const evaluateStoredEvents = defineRoute({
  operation: 'evaluateStoredEvents',
  method: 'POST',
  path: '/v1/metrics/{metric_id}/evaluate',
  owner: 'control-plane',
  access: 'project',
  console: true,
  tag: 'Metrics',
  summary: 'Start a job that evaluates stored events by the deployed version of a metric',
  permissions: ['events:write'],
  limits: bodyLimitsOf('metric'),
  params: metricPath,
  body: evaluateStoredEventsRequest,
  response: Type.Object({ job: jobResponse }),
});
