import type { JsonValue } from '@assay/domain';
import { readRawMessages } from './raw-messages.js';
import type { WireReader } from './wire-reader.js';

const KEY = 0x0a;
const VALUE = 0x12;
const STRING_VALUE = 0x0a;
/** Attributes with messages whose readers take {@link readRawMessages}. */
const KEYS = new Set(['gen_ai.input.messages', 'gen_ai.output.messages']);
const KEY_LENGTHS = new Set([...KEYS].map((key) => key.length));

/**
 * Reads the KeyValue from the cursor to `end` when it holds long messages.
 * @returns undefined for every other one; the cursor does not move
 */
export function readRawAttribute(
  { bytes, at }: WireReader,
  end: number,
): { readonly key: string; readonly value: JsonValue } | undefined {
  const keyLength = bytes[at + 1] ?? 0;
  if (bytes[at] !== KEY || !KEY_LENGTHS.has(keyLength)) return undefined;
  const key = bytes.toString('latin1', at + 2, at + 2 + keyLength);
  if (!KEYS.has(key)) return undefined;
  const value = restOf(bytes, at + 2 + keyLength, VALUE, end);
  const text = value === undefined ? undefined : restOf(bytes, value, STRING_VALUE, end);
  const messages = text === undefined ? undefined : readRawMessages(bytes.subarray(text, end));
  return messages && { key, value: messages.asValue() };
}

/** Start of a field of this tag that ends at `end`; undefined for any other field. */
function restOf(bytes: Buffer, at: number, tag: number, end: number): number | undefined {
  if (bytes[at] !== tag) return undefined;
  let length = 0;
  let next = at + 1;
  for (let shift = 0; shift < 28; shift += 7) {
    const byte = bytes[next++] ?? 0;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) return next + length === end ? next : undefined;
  }
  return undefined;
}
