import { hash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../json.js';
import { isRawText, plainText } from '../../raw-text.js';
import { jsonBytes } from './json-bytes.js';

/** Key of the object that stands for a value which was too large to be stored. */
export const TRUNCATED = 'assay_truncated';

const PREVIEW_LENGTH = 200;
/** Smaller values are not replaced one by one: what stands for them takes up to 1.5 KB. */
const MIN_BYTES = 4_096;

/** A value within an object or a list. */
export interface HeldValue {
  readonly holder: object;
  readonly key: string;
  readonly bytes: number;
  readonly value: JsonValue;
}

/** Returns what stands for a value: its size, its SHA-256 and its beginning. A text counts as it is, other values as JSON. */
export function truncatedValue(value: JsonValue): JsonObject {
  const plain = plainText(value);
  const text = typeof plain === 'string' ? plain : JSON.stringify(plain);
  const preview = text.slice(0, PREVIEW_LENGTH).replace(/[\ud800-\udbff]$/, '');
  return { [TRUNCATED]: { bytes: Buffer.byteLength(text), sha256: hash('sha256', text, 'hex'), preview } };
}

/** Returns the long texts within a value, in the order of the walk. */
export function* longTexts(value: JsonValue, at: Pick<HeldValue, 'holder' | 'key'>): Generator<HeldValue> {
  if (typeof value === 'string' || isRawText(value)) {
    const isLong = typeof value === 'string' ? value.length * 6 >= MIN_BYTES : true;
    const bytes = isLong ? jsonBytes(value) : 0;
    if (bytes >= MIN_BYTES) yield { ...at, bytes, value };
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value))
    yield* longTexts((value as JsonObject)[key] as JsonValue, { holder: value, key });
}

/** Returns the large members of an object. */
export function largeMembers(object: JsonObject, except: ReadonlySet<string>): HeldValue[] {
  return Object.keys(object).flatMap((key) => {
    const value = object[key] as JsonValue;
    const bytes = except.has(key) ? 0 : jsonBytes(value);
    return bytes >= MIN_BYTES ? [{ holder: object, key, bytes, value }] : [];
  });
}

/** Replacements by the object or list that holds the value, and its key. */
export type Replacements = ReadonlyMap<object, ReadonlyMap<string, JsonValue>>;

/** Returns the value with replacements. Holders are copied, because several events can share them; the rest is the same. */
export function withReplacements(value: JsonValue, replacements: Replacements): JsonValue {
  if (typeof value !== 'object' || value === null || isRawText(value)) return value;
  const own = replacements.get(value);
  let copy: Record<string, JsonValue> | JsonValue[] | undefined;
  for (const key of Object.keys(value)) {
    const before = (value as JsonObject)[key] as JsonValue;
    const after = own?.get(key) ?? withReplacements(before, replacements);
    if (after === before) continue;
    copy ??= Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value));
    Object.defineProperty(copy, key, { value: after, enumerable: true, configurable: true, writable: true });
  }
  return copy ?? value;
}
