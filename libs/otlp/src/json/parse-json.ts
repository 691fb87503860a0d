import { mayHoldUnstorable, parseExactJson, type JsonValue } from '@assay/domain';
import { cleanValue } from './clean-text.js';
import { MAX_DEPTH } from '../limits.js';

/**
 * Parses JSON text of an object or an array, as instrumentations put it into string attributes.
 * @returns undefined for any other text, for invalid JSON and for values nested deeper than 64
 */
export function parseContainer(text: string): JsonValue | undefined {
  const first = firstMark(text);
  if (first !== 0x7b && first !== 0x5b) return undefined;
  return parseJson(text);
}

/** Parses any JSON text; undefined when it is invalid or nests deeper than 64. */
export function parseJson(text: string): JsonValue | undefined {
  let value: JsonValue;
  try {
    value = parseExactJson(text);
  } catch {
    return undefined;
  }
  if (!isWithinDepth(value, MAX_DEPTH)) return undefined;
  return mayHoldUnstorable(text) ? cleanValue(value) : value;
}

/** The value, or the parsed value if it is JSON text of an object or an array. */
export function parsed(value: JsonValue): JsonValue {
  return typeof value === 'string' ? (parseContainer(value) ?? value) : value;
}

/** Like {@link parsed}, also for JSON text of an object or an array that was encoded as a text of JSON. */
export function parsedTwice(value: JsonValue): JsonValue {
  const once = parsed(value);
  if (typeof once !== 'string' || !ENCODED_TWICE.test(once)) return once;
  const inner = parseJson(once);
  const twice = typeof inner === 'string' ? parsed(inner) : once;
  return typeof twice === 'object' ? twice : once;
}

const ENCODED_TWICE = /^\s*"\s*[[{]/;

function firstMark(text: string): number {
  let at = 0;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return text.charCodeAt(at);
}

function isWithinDepth(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isWithinDepth(item, depth - 1));
  for (const key in value) if (!isWithinDepth(value[key] as JsonValue, depth - 1)) return false;
  return true;
}
