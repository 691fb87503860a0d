import { validationError } from '@assay/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import { booleanOf, instantOf, numberOf } from './filter-value.js';
import { cleanString } from '../accept/clean-string.js';
import { utf8Length } from '../../utf8-length.js';
import { toMilliseconds } from '../time/instant.js';
import type { Filter, FilterScalar, FilterType } from './filter.js';

const MAX_LIST = 1_000;
const MAX_TEXT_LENGTH = 65_536;
const MAX_LIST_BYTES = 1_048_576;
/** Of all filters of a request. */
const MAX_BYTES = 10 * MAX_LIST_BYTES;

/**
 * Coerces a filter's value to its type: clients also send numbers, booleans and times as text.
 * @throws AppError `VALIDATION_ERROR` naming `path`
 */
export function coerce(value: JsonValue, type: FilterType, path: string): NonNullable<FilterScalar> {
  if (typeof value === 'object') throw validationError(`${path} must be text, a number or a boolean`);
  const coerced = coerceScalar(typeof value === 'string' && type !== 'string' ? value.trim() : value, type);
  if (coerced === undefined) throw validationError(`${path} must be ${WANTED[type]}`);
  if (typeof coerced === 'string' && coerced.length > MAX_TEXT_LENGTH) {
    throw validationError(`${path} must not be longer than ${MAX_TEXT_LENGTH} characters`);
  }
  return coerced;
}

/** @throws AppError `VALIDATION_ERROR` if the filters have more than 10 MB of text together */
export function checkSum(filters: readonly Filter[], list: string): void {
  let bytes = 0;
  for (const { value } of filters) {
    const items = typeof value === 'object' && value !== null ? value : [value];
    for (const item of items) if (typeof item === 'string') bytes += utf8Length(item);
    if (bytes > MAX_BYTES) throw validationError(`${list} must not have more than 10 MB of values`);
  }
}

/** @throws AppError `VALIDATION_ERROR` if the value is not a list, or has more than 1,000 entries or 1 MB of text */
export function checkList(value: JsonValue, path: string): readonly JsonValue[] {
  if (!Array.isArray(value)) throw validationError(`${path} must be a list`);
  if (value.length > MAX_LIST) throw validationError(`${path} must not have more than ${MAX_LIST} values`);
  let bytes = 0;
  for (const item of value) {
    // A character has at least one byte, so that a long text is not read.
    if (typeof item === 'string') bytes += item.length > MAX_TEXT_LENGTH ? item.length : utf8Length(item);
    if (bytes > MAX_LIST_BYTES) throw validationError(`${path} must not have more than 1 MB of values`);
  }
  return value;
}

const RANGE_KEYS: readonly string[] = ['$gte', '$lte', '$gt', '$lt', '$ne'];

/** Returns whether the value is an object whose only keys are bounds such as `$gte` and `$lt`, at least one of them. */
export function isRange(value: JsonValue | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => RANGE_KEYS.includes(key));
}

const WANTED: Readonly<Record<FilterType, string>> = {
  string: 'text',
  number: 'a finite number',
  boolean: 'true or false',
  datetime: 'an ISO 8601 date-time or a Unix time in milliseconds',
};

function coerceScalar(
  value: string | number | bigint | boolean,
  type: FilterType,
): NonNullable<FilterScalar> | undefined {
  switch (type) {
    case 'string':
      return cleanString(String(value));
    case 'number':
      return finite(numberOf(value));
    case 'boolean':
      return booleanOf(value);
    case 'datetime':
      return milliseconds(instantOf(value));
  }
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function milliseconds(value: number | undefined): number | undefined {
  const time = finite(value);
  return time === undefined ? undefined : toMilliseconds(time);
}
