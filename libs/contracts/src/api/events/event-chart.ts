import { Type, type Static } from '@sinclair/typebox';
import { BUCKET_WIDTHS, type BucketWidth } from '@assay/domain';
import { choice, integer, listOf, text } from '../../schema/fields.js';
import { unpricedModels } from '../../schema/resource-fields.js';

const moment = (description: string) => text(description, '2026-11-01T00:00:00.000Z');

const row = Type.Object(
  {
    bucket: moment('Start of the bucket, ISO 8601.'),
    group: Type.Optional(
      text(
        'Value of the field to group by; empty for events without it. Absent without a grouping.',
        'answer',
      ),
    ),
    is_rest: Type.Optional(
      Type.Boolean({
        description: 'True for all groups beyond the largest ones, which are one group named "other".',
        examples: [true],
      }),
    ),
    value: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Aggregate of the values; null when the bucket has none and the function needs one.',
      examples: [250],
    }),
    unpriced_models: Type.Optional(
      unpricedModels(
        'Models of events that report tokens and no cost, in a chart of `metadata.cost`; `value` is null then. Absent without such an event.',
      ),
    ),
    count: integer('Number of matching events.', 12),
  },
  { description: 'One group in one bucket.' },
);

/** A chart of events over time, as a response. */
export const eventChart = Type.Object(
  {
    events: listOf(row, 'Every bucket of every group: the largest group first, each by time.'),
    totalEvents: integer('Number of matching events.', 12),
    bucket: choice<BucketWidth>(BUCKET_WIDTHS, 'Width of the buckets.', 'hour'),
    from: moment('Start of the range.'),
    to: moment('End of the range.'),
    timezone: text('Time zone of the buckets.', 'UTC'),
  },
  { $id: 'EventChart', description: 'A chart of events over time.' },
);
export type EventChart = Static<typeof eventChart>;

export const timezone = () =>
  text(
    'IANA name of the time zone in which hours, days, weeks and months start; UTC when absent.',
    'Europe/Berlin',
    {
      minLength: 1,
      maxLength: 64,
    },
  );
