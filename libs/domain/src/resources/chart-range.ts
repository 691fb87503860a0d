import { acceptDateRange } from '../events/filter/date-range.js';

/**
 * The time that a chart shows: a span back from now such as `7d`, or moments as ISO 8601 text or Unix
 * milliseconds.
 */
export interface ChartRange {
  readonly relative?: string;
  readonly $gte?: string | number;
  readonly $lte?: string | number;
}

/** As a client sends it: some write the names of the moments without the `$`. */
export interface SentChartRange extends ChartRange {
  readonly gte?: string | number;
  readonly lte?: string | number;
}

/**
 * The range in its one spelling, with what was sent as values.
 * @param now Unix milliseconds
 * @throws AppError `VALIDATION_ERROR` when a part cannot be read
 */
export function acceptChartRange(sent: SentChartRange, now: number): ChartRange {
  acceptDateRange({ ...sent }, now);
  if (sent.relative !== undefined) return { relative: sent.relative };
  const [$gte, $lte] = [sent.$gte ?? sent.gte, sent.$lte ?? sent.lte];
  return { ...($gte !== undefined && { $gte }), ...($lte !== undefined && { $lte }) };
}
