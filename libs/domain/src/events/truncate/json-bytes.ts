import type { JsonValue } from '../../json.js';
import { isRawText } from '../../raw-text.js';

/** Bytes of JSON for each UTF-16 unit of a text at most: an escape. */
const MAX_BYTES_PER_UNIT = 6;
/** Bytes of JSON for a number, a literal, or the quotes and separators of a text at most. */
const MAX_BYTES_PER_VALUE = 32;

/** Returns whether the JSON of a value has at most so many bytes; false as soon as it may have more, which it may overestimate. */
export function surelyFits(value: JsonValue, maxBytes: number): boolean {
  return bytesLeft(value, maxBytes) >= 0;
}

function bytesLeft(value: JsonValue, bytes: number): number {
  let left = bytes - MAX_BYTES_PER_VALUE;
  if (typeof value === 'string') return left - MAX_BYTES_PER_UNIT * value.length;
  if (typeof value !== 'object' || value === null) return left;
  if (isRawText(value)) return left - value.literal.length;
  if (Array.isArray(value)) {
    for (const item of value) if (left >= 0) left = bytesLeft(item, left);
    return left;
  }
  for (const key in value) {
    if (left < 0) return left;
    left = bytesLeft(value[key] as JsonValue, left - MAX_BYTES_PER_UNIT * key.length);
  }
  return left;
}

/** Returns the bytes of the JSON of a value in UTF-8. */
export function jsonBytes(value: JsonValue): number {
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value));
  if (typeof value !== 'object' || value === null) return String(value).length;
  if (isRawText(value)) return value.literal.length;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += jsonBytes(item) + 1;
  else for (const key of Object.keys(value)) bytes += jsonBytes(key) + jsonBytes(value[key] as JsonValue) + 2;
  return bytes;
}
