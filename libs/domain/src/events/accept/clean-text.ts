import { AppError, validationError } from '@assay/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import type { EventShape } from '../event-shape.js';
import { cleanString } from './clean-string.js';

/** Maximum size of an event: 10 MB of decoded JSON. */
export const MAX_EVENT_BYTES = 10_485_760;

/**
 * Escapes of U+0000 and of surrogates in JSON text. An escaped backslash can look the same, which only costs
 * an unnecessary pass.
 */
const UNSTORABLE_IN_JSON = /\\u(?:0000|[dD][89a-fA-F])/;

/** Bytes of JSON for each UTF-16 unit of a text at most: an escape. */
const MAX_BYTES_PER_UNIT = 6;
/** Bytes of JSON for a number, a literal, or the quotes and separators of a text at most. */
const MAX_BYTES_PER_VALUE = 32;
/** Bytes of JSON for an integer that a number does not hold: those of the largest number. */
const MAX_BYTES_PER_INTEGER = 320;
const SURROGATE = /[\ud800-\udfff]/;

/**
 * Returns what is left of a number of bytes after the JSON of the value, which it may overestimate; a negative
 * number as soon as it is too large, or has U+0000 or a surrogate.
 */
function bytesLeft(value: JsonValue, bytes: number): number {
  if (typeof value === 'string') return textBytesLeft(value, bytes);
  let left = bytes - (typeof value === 'bigint' ? MAX_BYTES_PER_INTEGER : MAX_BYTES_PER_VALUE);
  if (typeof value !== 'object' || value === null) return left;
  if (Array.isArray(value)) {
    for (const item of value) if (left >= 0) left = bytesLeft(item, left);
    return left;
  }
  for (const key in value) {
    if (left < 0) return left;
    left = textBytesLeft(key, left);
    if (left >= 0) left = bytesLeft(value[key] as JsonValue, left);
  }
  return left;
}

function textBytesLeft(text: string, bytes: number): number {
  if (text.includes('\0') || SURROGATE.test(text)) return -1;
  return bytes - MAX_BYTES_PER_UNIT * text.length - MAX_BYTES_PER_VALUE;
}

/**
 * Returns whether the value contains text that not every store can keep: U+0000 or an unpaired surrogate. One
 * pass of `JSON.stringify` determines this and the size, unless a walk over the texts rules out both.
 * @throws AppError `PAYLOAD_TOO_LARGE` naming `what` if its JSON is larger than `maxBytes`
 */
export function needsCleaning(value: object, what: string, maxBytes = MAX_EVENT_BYTES): boolean {
  if (bytesLeft(value as JsonValue, maxBytes) >= 0) return false;
  const json = JSON.stringify(value);
  if (json.length * 3 > maxBytes && Buffer.byteLength(json) > maxBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', `${what} must not be larger than ${eventLimit(maxBytes)}`);
  return mayHoldUnstorable(json);
}

/** Returns the maximum size of an event for a sentence. */
export function eventLimit(maxBytes = MAX_EVENT_BYTES): string {
  const bytes = `${maxBytes} bytes of JSON`;
  return maxBytes === MAX_EVENT_BYTES ? `10 MB (${bytes})` : bytes;
}

/**
 * Returns whether JSON text may decode to strings with U+0000 or unpaired surrogates, which stores reject.
 */
export function mayHoldUnstorable(json: string): boolean {
  // Most texts have no such escape, and a search for two fixed characters is ten times faster than the
  // expression.
  return json.includes('\\u') && UNSTORABLE_IN_JSON.test(json);
}

/**
 * Returns the declared texts and objects of an event or an update with clean text; absent fields stay absent.
 * `path` precedes the names of fields in errors.
 * @throws AppError `VALIDATION_ERROR` naming the object with a key that contains U+0000
 */
export function cleanFields<Fields extends object>(fields: Fields, path: string, shape: EventShape): Fields {
  const clean = { ...fields } as Record<string, JsonValue | undefined>;
  for (const { name } of shape.fields) {
    const value = clean[name];
    if (value !== undefined) clean[name] = cleanValue(value, `${path}${name}`);
  }
  return clean as Fields;
}

function cleanObject(object: JsonObject, path: string): JsonObject {
  const entries = Object.entries(object).map(([key, value]) => {
    if (key.includes('\0')) throw validationError(`${path} must not have a key that contains U+0000`);
    return [cleanString(key), cleanValue(value, `${path}.${key}`)] as const;
  });
  return Object.fromEntries(entries);
}

function cleanValue(value: JsonValue, path: string): JsonValue {
  if (typeof value === 'string') return cleanString(value);
  if (Array.isArray(value)) return value.map((item, index) => cleanValue(item, `${path}[${index}]`));
  return isJsonObject(value) ? cleanObject(value, path) : value;
}
