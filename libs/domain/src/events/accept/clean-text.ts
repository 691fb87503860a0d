import { AppError, validationError } from '@assay/errors';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import type { Steps } from '../../steps.js';
import type { EventShape } from '../event-shape.js';
import { cleanString } from './clean-string.js';
import { walkTexts, type ListedKeys } from './text-walk.js';

/** Maximum size of an event: 10 MB of decoded JSON. */
export const MAX_EVENT_BYTES = 10_485_760;

/**
 * Escapes of U+0000 and of surrogates in JSON text. An escaped backslash can look the same, which only costs
 * an unnecessary pass.
 */
const UNSTORABLE_IN_JSON = /\\u(?:0000|[dD][89a-fA-F])/;

/** What the texts of a value are like. */
export interface TextsOf {
  /** Whether some are such that not every store can keep them: U+0000 or an unpaired surrogate. */
  readonly needCleaning: boolean;
  /** Undefined unless the value has thousands of values. */
  readonly listed: ListedKeys | undefined;
}

/**
 * Looks at the texts of a value. One pass of `JSON.stringify` determines what is in them and their size, unless a walk over the
 * texts rules out that they need more, in steps for a value with many keys.
 * @throws AppError `PAYLOAD_TOO_LARGE` naming `what` if its JSON is larger than `maxBytes`
 */
export function* textsOfSteps(value: object, what: string, maxBytes = MAX_EVENT_BYTES): Steps<TextsOf> {
  const { isSmallAndStorable, listed } = yield* walkTexts(value as JsonValue, maxBytes);
  if (isSmallAndStorable) return { needCleaning: false, listed };
  const json = JSON.stringify(value);
  if (json.length * 3 > maxBytes && Buffer.byteLength(json) > maxBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', `${what} must not be larger than ${eventLimit(maxBytes)}`);
  return { needCleaning: mayHoldUnstorable(json), listed };
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
