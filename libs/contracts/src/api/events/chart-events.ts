import { Type, type Static } from '@sinclair/typebox';
import { CHART_FUNCTIONS, type Bucketing } from '@assay/domain';
import { defineRoute } from '../../route.js';
import { choice, flag, text, uuid } from '../../schema/fields.js';
import { runFilters } from '../runs/run-filters.js';
import { dateRange } from './date-range.js';
import { eventChart, timezone } from './event-chart.js';

/** Names of bucket widths in requests. */
export const BUCKET_NAMES = {
  auto: 'auto',
  minute: 'minute',
  minutes: 'minute',
  '1m': 'minute',
  five_minute: 'five_minute',
  five_minutes: 'five_minute',
  '5m': 'five_minute',
  hour: 'hour',
  hours: 'hour',
  '1h': 'hour',
  day: 'day',
  days: 'day',
  '1d': 'day',
  week: 'week',
  weeks: 'week',
  '1w': 'week',
  month: 'month',
  months: 'month',
  '1mo': 'month',
} as const satisfies Record<string, Bucketing>;
export type BucketName = keyof typeof BUCKET_NAMES;

const chartEventsQuery = Type.Object({
  dateRange: Type.Optional(dateRange),
  filters: Type.Optional(runFilters()),
  metric: Type.Optional(
    text('Charted value: an event field or a metric name; duration when absent.', 'duration', {
      minLength: 1,
      maxLength: 1000,
    }),
  ),
  groupBy: Type.Optional(text('Field to group by.', 'event_name', { minLength: 1, maxLength: 1000 })),
  bucket: Type.Optional(
    choice<BucketName>(
      Object.keys(BUCKET_NAMES) as BucketName[],
      'Bucket width; hour when absent. auto: the shortest width with at most 200 buckets.',
      'hour',
    ),
  ),
  aggregation: Type.Optional(
    text(`Aggregation function: ${CHART_FUNCTIONS.join(', ')}; average when absent.`, 'p95', {
      maxLength: 100,
    }),
  ),
  evaluation_id: Type.Optional(uuid('Only events of this experiment run.')),
  only_experiments: Type.Optional(flag('Only events of experiment runs.', false)),
  timezone: Type.Optional(timezone()),
});
export type ChartEventsQuery = Static<typeof chartEventsQuery>;

export const chartEvents = defineRoute({
  operation: 'chartEvents',
  method: 'GET',
  path: '/v1/events/chart',
  aliases: ['/events/chart'],
  owner: 'data-plane',
  access: 'project',
  console: true,
  tag: 'Events',
  summary: 'Aggregate a value of events over time',
  query: chartEventsQuery,
  response: eventChart,
});
