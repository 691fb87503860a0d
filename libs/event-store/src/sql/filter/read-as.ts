import type { FilterType } from '@assay/domain';

const DECIMAL = String.raw`^-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?$`;
const ISO_INSTANT = String.raw`(?i)^(\\d{4})-(\\d{2})-(\\d{2})(?:[T ](\\d{2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,9}))?)?(Z|[+-]\\d{2}:?\\d{2})?)?$`;

/**
 * A text read as the type of a filter, null when it cannot be: the rule of the filter language
 * (`matchesFilter` of the domain) in SQL. Datetimes are Unix milliseconds.
 */
export function readAs(type: FilterType, text: string): string {
  switch (type) {
    case 'string':
      return text;
    case 'number':
      return decimal(text);
    case 'boolean':
      return `multiIf(lower(${text}) = 'true', 1, lower(${text}) = 'false', 0, NULL)`;
    case 'datetime':
      return `arrayMap(t -> coalesce(${decimal('t')}, ${isoInstant('t')}), [${text}])[1]`;
  }
}

function decimal(text: string): string {
  const number = `if(match(ifNull(d, ''), '${DECIMAL}'), toFloat64OrNull(d), NULL)`;
  return `arrayMap(n -> if(isFinite(n), n, NULL), arrayMap(d -> ${number}, [${text}]))[1]`;
}

/**
 * Unix milliseconds of an ISO 8601 text. `g` contains its parts: year, month, day, hour, minute, second,
 * fraction, zone; it is empty for any other text. JavaScript maps years below 100 to the twentieth century.
 */
function isoInstant(text: string): string {
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map(
    (index) => `toInt64OrZero(g[${index}])`,
  );
  const timeOfDay = `(${hour} * 3600000 + ${minute} * 60000 + ${second} * 1000 + toInt64OrZero(rightPad(left(g[7], 3), 3, '0')))`;
  const inDay = `${hour} <= 23 AND ${minute} <= 59 AND ${second} <= 59`;
  const days = `arrayMap((y, m, d) -> ${unixDays('y', 'm', 'd')}, [${year} + if(${year} < 100, 1900, 0)], [${month}], [${day}])[1]`;
  const instant = `if(${inDay}, toFloat64(${days} * 86400000 + ${timeOfDay} - ${zoneOffset('g[8]')}), NULL)`;
  return `arrayMap(g -> if(length(g) = 8, ${instant}, NULL), [extractGroups(ifNull(${text}, ''), '${ISO_INSTANT}')])[1]`;
}

/**
 * Days since 1970-01-01 of a date of the Gregorian calendar, null for a date that does not exist. Years are
 * counted from March.
 */
function unixDays(year: string, month: string, day: string): string {
  const leap = `(${year} % 4 = 0 AND (${year} % 100 != 0 OR ${year} % 400 = 0))`;
  const length = `multiIf(${month} IN (4, 6, 9, 11), 30, ${month} != 2, 31, ${leap}, 29, 28)`;
  const y = `(${year} - (${month} <= 2))`;
  const before = `365 * ${y} + intDiv(${y}, 4) - intDiv(${y}, 100) + intDiv(${y}, 400) + intDiv(153 * ((${month} + 9) % 12) + 2, 5)`;
  return `if(${month} BETWEEN 1 AND 12 AND ${day} BETWEEN 1 AND ${length}, ${before} + ${day} - 719469, NULL)`;
}

/** Milliseconds of an offset such as `+05:30`; `Z` and no offset are UTC. */
function zoneOffset(zone: string): string {
  const minutes = `(toInt64OrZero(substring(${zone}, 2, 2)) * 60 + toInt64OrZero(right(${zone}, 2)))`;
  return `if(length(${zone}) < 2, 0, ${minutes} * if(startsWith(${zone}, '-'), -60000, 60000))`;
}
