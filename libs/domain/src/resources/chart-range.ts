import { acceptDateRange } from '../events/filter/date-range.js';

/**
 * Time range of a chart: a span back from now such as `7d`, or times as ISO 8601 text or Unix milliseconds.
 */
export interface ChartRange {
  readonly relative?: string;
  readonly $gte?: string | number;
  readonly $lte?: string | number;
}

/** The range as a client sends it: some write the names of the bounds without the `$`. */
export interface SentChartRange extends ChartRange {
  readonly gte?: string | number;
  readonly lte?: string | number;
}

/**
 * Returns the range in its canonical form, with the values that were sent.
 * @param now Unix milliseconds
 * @throws AppError `VALIDATION_ERROR` if a part is invalid
 */
export function acceptChartRange(sent: SentChartRange, now: number): ChartRange {
  acceptDateRange({ ...sent }, now);
  if (sent.relative !== undefined) return { relative: sent.relative };
  const [$gte, $lte] = [sent.$gte ?? sent.gte, sent.$lte ?? sent.lte];
  return { ...($gte !== undefined && { $gte }), ...($lte !== undefined && { $lte }) };
}
