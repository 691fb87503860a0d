import type { JsonValue } from '../../../json.js';
import type { FilterType } from '../filter.js';
import { booleanOf, instantOf, numberOf } from '../filter-value.js';
import type { FilterWork } from './filter-work.js';
import { shortJson } from './short-json.js';

interface Reading {
  readonly work: FilterWork;
  /** A longer text than this equals none of the values, so that it is not read. */
  readonly maxLength: number;
  readonly freeLength: number;
}

interface Read {
  /** Undefined for a value of another type, and for a text that is too long. */
  readonly value: string | number | boolean | undefined;
}

/** Returns a stored value as the type of a filter. */
export function readAs(stored: JsonValue, type: FilterType, reading: Reading): Read | 'not_decided' {
  if (type === 'string') return readText(stored, reading);
  if (type === 'boolean') return { value: booleanOf(stored) };
  const length = typeof stored === 'string' ? stored.length : 0;
  if (length > reading.freeLength && !reading.work.take(length)) return 'not_decided';
  return { value: type === 'number' ? numberOf(stored) : instantOf(stored) };
}

/** A string unchanged, anything else as compact JSON. */
function readText(stored: JsonValue, { work, maxLength, freeLength }: Reading): Read | 'not_decided' {
  if (typeof stored === 'string') return { value: stored.length > maxLength ? undefined : stored };
  if (typeof stored !== 'object' || maxLength <= freeLength) return { value: shortJson(stored, maxLength) };
  return work.take(maxLength) ? { value: shortJson(stored, maxLength) } : 'not_decided';
}
