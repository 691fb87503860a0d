import { validationError } from '@assay/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import { numberOf } from './filter-value.js';
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

/** Texts that some clients send for an absent value. */
const ABSENT_TEXTS = ['', 'None', 'null'];

/**
 * Reads a date range in any of its forms: `{$gte, $lte}`, `{gte, lte}`, `{start_time, end_time}`, `{start,
 * end}`, `{relative: "7d"}`, JSON text of one of these, or a relative text such as `24h`, which ends at `now`
 * (Unix milliseconds).
 * @throws AppError `VALIDATION_ERROR` naming the part of `path` that is invalid
 */
export function acceptDateRange(input: JsonValue | undefined, now: number, path = 'dateRange'): DateRange {
  if (input === undefined || input === null) return {};
  if (typeof input === 'string') return readText(input.trim(), now, path);
  if (!isJsonObject(input)) throw validationError(`${path} must be an object or a relative range such as 7d`);
  return readObject(input, now, path);
}

function readText(text: string, now: number, path: string): DateRange {
  if (ABSENT_TEXTS.includes(text)) return {};
  if (text.startsWith('{')) return readObject(parseObject(text, path), now, path);
  return relativeRange(text.replace(/^"(.*)"$/, '$1'), now, path);
}

function parseObject(text: string, path: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw validationError(`${path} must be JSON or a relative range such as 7d`, { cause });
  }
  throw validationError(`${path} must be an object or a relative range such as 7d`);
}

function readObject(range: JsonObject, now: number, path: string): DateRange {
  const unknown = Object.keys(range).some((key) => !KEYS.includes(key));
  if (unknown) throw validationError(`${path} must have no other keys than ${KEYS.join(', ')}`);
  const { relative } = range;
  if (relative !== undefined && relative !== null) return readRelative(relative, now, `${path}.relative`);
  const [from, to] = [readBound(range, FROM_KEYS, path), readBound(range, TO_KEYS, path)];
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function readRelative(relative: JsonValue, now: number, path: string): DateRange {
  if (typeof relative !== 'string') throw validationError(`${path} must be text such as 7d`);
  return relativeRange(relative.trim(), now, path);
}

function readBound(range: JsonObject, keys: readonly string[], path: string): number | undefined {
  const key = keys.find((name) => range[name] !== undefined && range[name] !== null);
  const value = key === undefined ? undefined : range[key];
  if (key === undefined || value === undefined || (typeof value === 'string' && ABSENT_TEXTS.includes(value)))
    return undefined;
  const time = instant(value);
  if (time === undefined || time < 0) {
    throw validationError(`${path}.${key} must be an ISO 8601 date-time or a Unix time in milliseconds`);
  }
  return time;
}

function instant(value: JsonValue): number | undefined {
  const number = numberOf(value);
  if (number !== undefined) return Number.isFinite(number) ? toMilliseconds(number) : undefined;
  return typeof value === 'string' ? parseInstant(value.trim()) : undefined;
}

function relativeRange(text: string, now: number, path: string): DateRange {
  const [, count, unit = ''] = RELATIVE.exec(text) ?? [];
  const unitMs = UNIT_MS.get(unit);
  if (count === undefined || unitMs === undefined) {
    throw validationError(`${path} must be a range, or a number and one of m, h, d, w, mo, y, such as 7d`);
  }
  return { from: Math.max(0, now - Number(count) * unitMs), to: now };
}
