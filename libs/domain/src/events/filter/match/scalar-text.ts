import { isBeyond64Bits } from '../../../exact-json.js';
import type { JsonValue } from '../../../json.js';

/** Returns the text of a value that is no list and no object, in which another one is searched. */
export type ScalarText = (value: JsonValue) => string;

/** Text of a value within a field: a string is itself, anything else its JSON. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** As {@link textOf}, of a value at a path: the event store has the nearest double of an integer beyond 64 bits there. */
export function textAtPath(value: JsonValue): string {
  return typeof value === 'bigint' && isBeyond64Bits(value) ? String(Number(value)) : textOf(value);
}
