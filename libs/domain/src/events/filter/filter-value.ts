import type { JsonValue } from '../../json.js';
import { parseInstant } from '../time/instant.js';

const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns a number, also from a string that is a decimal number; undefined for anything else. */
export function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || !DECIMAL.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** The least integer that a number has in common with its neighbours. */
const LEAST_INEXACT = 2 ** 53;
const INTEGER = /^-?[1-9]\d*$/;

/**
 * Returns the JSON of a number that is equal to others as a number, although their digits differ: of an integer from 2^53 on,
 * also in a text. Undefined for every other value.
 */
export function inexactNumberText(value: JsonValue): string | undefined {
  const number = numberOf(typeof value === 'string' ? value.trim() : value);
  if (number === undefined || !(Math.abs(number) >= LEAST_INEXACT && Number.isFinite(number)))
    return undefined;
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' && INTEGER.test(value.trim()) ? value.trim() : JSON.stringify(number);
}

/** Returns a boolean, also from the text `true` or `false` in any case. */
export function booleanOf(value: JsonValue): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' || value.length > 'false'.length) return undefined;
  const text = value.toLowerCase();
  if (text === 'true') return true;
  return text === 'false' ? false : undefined;
}

/**
 * Returns Unix milliseconds: a number or decimal text unchanged, or the time of an ISO 8601 date or
 * date-time.
 */
export function instantOf(value: JsonValue): number | undefined {
  const number = numberOf(value);
  if (number !== undefined) return number;
  return typeof value === 'string' ? parseInstant(value) : undefined;
}
