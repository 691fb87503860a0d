import type { JsonValue } from '../json.js';
import { acceptBound, acceptDateRange, type DateRange } from '../events/filter/date-range.js';

/** When sessions started, in the ways that a request may say it. */
export interface SentSessionRange {
  readonly from?: string;
  readonly to?: string;
  readonly $gte?: string;
  readonly $lte?: string;
  readonly dateRange?: JsonValue;
}

/**
 * Returns the range that satisfies all bounds of a request. A date is the first or the last moment of its day.
 * @param now Unix milliseconds
 * @throws AppError `VALIDATION_ERROR` naming the bound that is invalid
 */
export function acceptSessionRange(sent: SentSessionRange, now: number): DateRange {
  const range = acceptDateRange(sent.dateRange, now);
  const lower = [range.from, acceptBound(sent.from, 'from', 'from'), acceptBound(sent.$gte, 'from', '$gte')];
  const upper = [range.to, acceptBound(sent.to, 'to', 'to'), acceptBound(sent.$lte, 'to', '$lte')];
  const from = Math.max(-Infinity, ...lower.filter((bound) => bound !== undefined));
  const to = Math.min(Infinity, ...upper.filter((bound) => bound !== undefined));
  return { ...(Number.isFinite(from) && { from }), ...(Number.isFinite(to) && { to }) };
}
