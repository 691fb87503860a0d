import { validationError } from '@assay/errors';
import { ZoneClock } from '../events/time/zone-clock.js';

/** Widths of the buckets of charts, the shortest first. Weeks start on Monday. */
export const BUCKET_WIDTHS = ['minute', 'five_minute', 'hour', 'day', 'week', 'month'] as const;
export type BucketWidth = (typeof BUCKET_WIDTHS)[number];
/** `auto`: the shortest width that divides the range into at most 200 buckets. */
export type Bucketing = BucketWidth | 'auto';

/** The buckets of a chart: each starts at one of `starts` and ends where the next one starts. */
export interface ChartBuckets {
  readonly width: BucketWidth;
  /** Unix milliseconds, ascending; the first bucket contains the start of the range, the last one its end. */
  readonly starts: readonly number[];
}

export interface ChartBucketsInput {
  readonly bucketing: Bucketing;
  /** Unix milliseconds, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** IANA name, such as `Europe/Berlin`. */
  readonly timezone: string;
}

/** Largest number of buckets of a chart. */
export const MAX_BUCKETS = 2_000;
const AUTO_BUCKETS = 200;
/** 9999-12-31T23:59:59.999Z. */
const LATEST_MS = 253_402_300_799_999;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIXED_MS = { minute: MINUTE_MS, five_minute: 5 * MINUTE_MS, hour: 60 * MINUTE_MS } as const;
/** Approximate widths, to choose one and to reject too many buckets before they are computed. */
const ABOUT_MS: Readonly<Record<BucketWidth, number>> = {
  ...FIXED_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

/**
 * Divides a range of time into buckets that start at full minutes, hours or days of a time zone. A day has 23 or 25
 * hours where the clocks change; a reversed range has no buckets.
 * @throws AppError `VALIDATION_ERROR` for an unknown time zone, a time after the year 9999, and more than 2,000 buckets
 */
export function chartBuckets({ bucketing, from, to, timezone }: ChartBucketsInput): ChartBuckets {
  const clock = new ZoneClock(timezone);
  if (Math.max(from, to) > LATEST_MS) throw validationError('dateRange must end before the year 10000');
  const width = bucketing === 'auto' ? autoWidth(to - from) : bucketing;
  if ((to - from) / ABOUT_MS[width] > MAX_BUCKETS)
    throw validationError(
      `the range has more than ${MAX_BUCKETS} buckets: narrow dateRange, or use bucket=auto`,
    );
  const starts: number[] = [];
  for (
    let start = floor(clock, from, width);
    start <= to && to >= from;
    start = following(clock, start, width)
  )
    starts.push(start);
  return { width, starts };
}

function autoWidth(rangeMs: number): BucketWidth {
  return BUCKET_WIDTHS.find((width) => rangeMs / ABOUT_MS[width] <= AUTO_BUCKETS) ?? 'month';
}

/** Start of the bucket that contains the time. */
function floor(clock: ZoneClock, time: number, width: BucketWidth): number {
  const local = clock.local(time);
  if (isFixed(width)) return time - modulo(local, FIXED_MS[width]);
  return clock.startOfDay(startOfLocal(local, width));
}

/** Start of the bucket after the one with this start. */
function following(clock: ZoneClock, start: number, width: BucketWidth): number {
  if (!isFixed(width)) return clock.startOfDay(nextLocal(clock.local(start), width));
  const next = start + FIXED_MS[width];
  // Where the clocks change by half an hour, the following hours start elsewhere.
  const aligned = next - modulo(clock.local(next), FIXED_MS[width]);
  return aligned > start ? aligned : next;
}

function isFixed(width: BucketWidth): width is keyof typeof FIXED_MS {
  return Object.hasOwn(FIXED_MS, width);
}

function startOfLocal(local: number, width: BucketWidth): number {
  const day = local - modulo(local, DAY_MS);
  const date = new Date(day);
  if (width === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  return width === 'week' ? day - modulo(date.getUTCDay() - 1, 7) * DAY_MS : day;
}

function nextLocal(local: number, width: BucketWidth): number {
  const date = new Date(startOfLocal(local, width));
  if (width === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return date.getTime() + (width === 'week' ? 7 : 1) * DAY_MS;
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
