import { isJsonObject, type JsonValue } from '@assay/domain';
import { readMessages } from '../chat/read-messages.js';
import { contentOf, canonicalPart } from '../chat/content.js';
import { parsed } from '../json/parse-json.js';
import type { Reader } from './rule.js';

/** Messages that went in: text alone is what the user said. */
export const asHistory: Reader = (value) => readMessages(value, 'user');

/** Messages that came out: text alone is what the assistant said. */
export const asOutputMessages: Reader = (value) => readMessages(value, 'assistant');

/** System instructions: a text, or a list of text parts. */
export function asInstructions(value: JsonValue): JsonValue | undefined {
  const list = parsed(value);
  if (typeof list === 'string') return list.trim() === '' ? undefined : list;
  if (isJsonObject(list)) return asInstructions([list]);
  if (!Array.isArray(list)) return undefined;
  const parts = list.flatMap((part) =>
    isJsonObject(part) ? canonicalPart(part) : typeof part === 'string' ? { type: 'text', text: part } : [],
  );
  return contentOf(parts) ?? undefined;
}
