/** Numbers above this are micro- or nanoseconds: as milliseconds they would be after the year 5138. */
const LARGEST_MS = 1e14;
/** Numbers above this are nanoseconds: as microseconds they would be after the year 5138. */
const LARGEST_US = 1e17;

const ISO_INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Converts a Unix time in milli-, micro- or nanoseconds to milliseconds. The unit is derived from the
 * magnitude. Nanoseconds are rounded to microseconds, because a JSON number of that size is already off by
 * more than a hundred nanoseconds.
 */
export function toMilliseconds(time: number): number {
  if (time > LARGEST_US) return Math.round(time / 1e3) / 1e3;
  return time > LARGEST_MS ? time / 1e3 : time;
}

/**
 * Returns the Unix milliseconds of an ISO 8601 date or date-time, in UTC if it has no zone. A fraction is
 * truncated to whole milliseconds. Undefined for any other text and for dates that do not exist.
 */
export function parseInstant(text: string): number | undefined {
  const match = ISO_INSTANT.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (!sameDate(date, Number(month), Number(day))) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const time = Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1_000 + milliseconds;
  return date + time - zoneOffsetMs(zone);
}

function sameDate(time: number, month: number, day: number): boolean {
  const date = new Date(time);
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}

function zoneOffsetMs(zone: string): number {
  if (zone.length === 1) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
