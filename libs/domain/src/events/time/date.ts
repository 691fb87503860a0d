import { parseInstant } from './instant.js';
import { ZoneClock } from './zone-clock.js';

/** A date without a time of day, with a zone or without. */
const DATE = /^(\d{4}-\d{2}-\d{2})(Z|[+-]\d{2}:?\d{2})?$/i;
const DAY_MS = 86_400_000;
/** Times have microseconds at most. */
const SHORTEST_MS = 0.001;

/** The first and the last moment of a day, Unix milliseconds. */
export interface Day {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the day that a date such as `2026-03-01` or `2026-03-01+02:00` names: in its own zone, else in `timezone` (an IANA
 * name). Undefined for any other text and for dates that do not exist.
 * @throws AppError `VALIDATION_ERROR` for an unknown time zone
 */
export function dayNamed(text: string, timezone = 'UTC'): Day | undefined {
  const [, date = '', zone] = DATE.exec(text) ?? [];
  const midnight = parseInstant(zone === undefined ? date : `${date}T00:00${zone}`);
  if (midnight === undefined) return undefined;
  if (zone !== undefined || timezone === 'UTC')
    return { first: midnight, last: midnight + DAY_MS - SHORTEST_MS };
  const clock = new ZoneClock(timezone);
  return { first: clock.startOfDay(midnight), last: clock.startOfDay(midnight + DAY_MS) - SHORTEST_MS };
}
