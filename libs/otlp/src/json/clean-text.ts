import { isJsonObject, type JsonValue } from '@assay/domain';
import { setOwn } from './set-own.js';

/** Escapes in JSON text that denote U+0000 or an unpaired surrogate. */
const SUSPECT_ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Whether JSON text may decode to strings with U+0000 or lone surrogates, which stores refuse. */
export function mayHoldUnstorable(jsonText: string): boolean {
  // Most texts have no such escape, and searching for two fixed characters is ten times faster than a regular
  // expression.
  return jsonText.includes('\\u') && SUSPECT_ESCAPE.test(jsonText);
}

/** Replaces U+0000 and lone surrogates by U+FFFD. */
export function cleanText(text: string): string {
  return text.replace(UNSTORABLE, '\ufffd');
}

/** Applies {@link cleanText} to every string and key of a value with bounded nesting. */
export function cleanValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleanValue);
  if (!isJsonObject(value)) return value;
  const clean = {};
  for (const key of Object.keys(value)) setOwn(clean, cleanText(key), cleanValue(value[key] as JsonValue));
  return clean;
}
