import { parseExactJson } from './exact-json.js';
import type { JsonValue } from './json.js';

/**
 * A long text in the form in which JSON holds it: a string literal in UTF-8, with its quotes, exactly as
 * `JSON.stringify` writes it. Stands for a string of more than 256 characters among the values of an event between
 * the decoding of a request and the encoding of its row, so that the text is copied instead of decoded and encoded
 * again. The bytes are a view of the request's body.
 */
export class RawText {
  constructor(readonly literal: Buffer) {}

  toString(): string {
    return JSON.parse(this.literal.toString('utf8')) as string;
  }

  toJSON(): string {
    return this.toString();
  }

  /** This text as the value that it stands for. */
  asValue(): JsonValue {
    return this as unknown as JsonValue;
  }
}

/** The value as a string if it is a raw text, else unchanged. */
export function plainText(value: JsonValue): JsonValue {
  return isRawText(value) ? value.toString() : value;
}

export function isRawText(value: unknown): value is RawText {
  return value instanceof RawText;
}

/** The value with strings in place of raw texts; the value itself when it has none. */
export function withoutRawText<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (isRawText(value)) return value.toString() as Value;
  return hasRawText(value) ? (parseExactJson(JSON.stringify(value)) as Value) : value;
}

/** Reads the values one by one: a list of those of a wide object takes longer than reading them. */
function hasRawText(value: object): boolean {
  if (Array.isArray(value)) return value.some(isOrHasRawText);
  for (const key in value) if (isOrHasRawText((value as Readonly<Record<string, unknown>>)[key])) return true;
  return false;
}

function isOrHasRawText(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (isRawText(value) || hasRawText(value));
}
