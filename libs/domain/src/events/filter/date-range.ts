import { validationError } from '@assay/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import { numberOf } from './filter-value.js';
import { dayNamed } from '../time/date.js';
import { parseInstant, toMilliseconds } from '../time/instant.js';

/** Bounds in Unix milliseconds, both inclusive. An absent bound is open. */
export interface DateRange {
  readonly from?: number;
  readonly to?: number;
}

const FROM_KEYS = ['$gte', 'gte', 'start_time', 'start'] as const;
const TO_KEYS = ['$lte', 'lte', 'end_time', 'end'] as const;
const KEYS: readonly string[] = [...FROM_KEYS, ...TO_KEYS, 'relative'];

const DAY_MS = 86_400_000;
/** Months count as 30 days, years as 365. */
const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', DAY_MS],
  ['w', 7 * DAY_MS],
  ['mo', 30 * DAY_MS],
  ['y', 365 * DAY_MS],
]);
const RELATIVE = /^(\d{1,6})(mo|[mhdwy])$/;

const NAME = 'dateRange';

/** Texts that some clients send for an absent value. */
const ABSENT_TEXTS = ['', 'None', 'null'];

/**
 * Reads a date range in any of its forms: `{$gte, $lte}`, `{gte, lte}`, `{start_time, end_time}`, `{start,
 * end}`, `{relative: "7d"}`, JSON text of one of these, or a relative text such as `24h`, which ends at `now`
 * (Unix milliseconds). A bound that is a date is the first or the last moment of that day: in the zone that it names, else in
 * `timezone`.
 * @param timezone IANA name
 * @throws AppError `VALIDATION_ERROR` naming the part of the range that is invalid
 */
export function acceptDateRange(input: JsonValue | undefined, now: number, timezone = 'UTC'): DateRange {
  if (input === undefined || input === null) return {};
  if (typeof input === 'string') return readText(input.trim(), { now, timezone });
  if (!isJsonObject(input)) throw validationError(`${NAME} must be an object or a relative range such as 7d`);
  return readObject(input, { now, timezone });
}

/**
 * Reads one bound of a range; undefined when it is absent.
 * @throws AppError `VALIDATION_ERROR` naming `path`
 */
export function acceptBound(
  value: JsonValue | undefined,
  side: 'from' | 'to',
  path: string,
  timezone?: string,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && ABSENT_TEXTS.includes(value.trim())) return undefined;
  const time = boundOf(value, side, timezone);
  if (time !== undefined && time >= 0) return time;
  throw validationError(`${path} must be an ISO 8601 date or date-time, or a Unix time in milliseconds`);
}

/** Where the range is read: the present time in Unix milliseconds, and the zone of its dates. */
interface Reading {
  readonly now: number;
  readonly timezone: string;
}

function readText(text: string, reading: Reading): DateRange {
  if (ABSENT_TEXTS.includes(text)) return {};
  if (text.startsWith('{')) return readObject(parseObject(text), reading);
  return relativeRange(text.replace(/^"(.*)"$/, '$1'), reading.now, NAME);
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw validationError(`${NAME} must be JSON or a relative range such as 7d`, { cause });
  }
  throw validationError(`${NAME} must be an object or a relative range such as 7d`);
}

function readObject(range: JsonObject, { now, timezone }: Reading): DateRange {
  const unknown = Object.keys(range).some((key) => !KEYS.includes(key));
  if (unknown) throw validationError(`${NAME} must have no other keys than ${KEYS.join(', ')}`);
  const { relative } = range;
  if (relative !== undefined && relative !== null) return readRelative(relative, now);
  const bound = (side: 'from' | 'to', keys: readonly string[]) => {
    const key = keys.find((name) => range[name] !== undefined && range[name] !== null);
    return key === undefined ? undefined : acceptBound(range[key], side, `${NAME}.${key}`, timezone);
  };
  const [from, to] = [bound('from', FROM_KEYS), bound('to', TO_KEYS)];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function readRelative(relative: JsonValue, now: number): DateRange {
  if (typeof relative !== 'string') throw validationError(`${NAME}.relative must be text such as 7d`);
  return relativeRange(relative.trim(), now, `${NAME}.relative`);
}

function boundOf(value: JsonValue, side: 'from' | 'to', timezone?: string): number | undefined {
  const number = numberOf(value);
  if (number !== undefined) return Number.isFinite(number) ? toMilliseconds(number) : undefined;
  if (typeof value !== 'string') return undefined;
  const day = dayNamed(value.trim(), timezone);
  if (day !== undefined) return side === 'from' ? day.first : day.last;
  return parseInstant(value.trim());
}

function relativeRange(text: string, now: number, path: string): DateRange {
  const [, count, unit = ''] = RELATIVE.exec(text) ?? [];
  const unitMs = UNIT_MS.get(unit);
  if (count === undefined || unitMs === undefined) {
    throw validationError(`${path} must be a range, or a number and one of m, h, d, w, mo, y, such as 7d`);
  }
  return { from: Math.max(0, now - Number(count) * unitMs), to: now };
}
