import type { JsonValue } from '../../json.js';
import { parseInstant } from '../time/instant.js';

const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns a number, also from a string that is a decimal number; undefined for anything else. */
export function numberOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !DECIMAL.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
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
