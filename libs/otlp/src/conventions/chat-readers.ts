import { isJsonObject, type JsonValue } from '@assay/domain';
import { readMessages } from '../chat/read-messages.js';
import { contentOf, canonicalPart } from '../chat/content.js';
import { parsed } from '../json/parse-json.js';
import type { Reader } from './rule.js';

/** Input messages; plain text is a user message. */
export const asHistory: Reader = (value) => readMessages(value, 'user');

/** Output messages; plain text is an assistant message. */
export const asOutputMessages: Reader = (value) => readMessages(value, 'assistant');

/** Whether a part has more fields than a text. */
function hasDetails(part: JsonValue): boolean {
  return isJsonObject(part) && Object.keys(part).some((key) => !TEXT_FIELDS.has(key));
}

const TEXT_FIELDS = new Set(['type', 'text', 'content']);

/** System instructions: a string, or a list of text parts; parts with other fields are unchanged. */
export function asInstructions(value: JsonValue): JsonValue | undefined {
  const list = parsed(value);
  if (typeof list === 'string') return list.trim() === '' ? undefined : list;
  if (isJsonObject(list)) return asInstructions([list]);
  if (!Array.isArray(list)) return undefined;
  if (list.some(hasDetails)) return list;
  const parts = list.flatMap((part) =>
    isJsonObject(part) ? canonicalPart(part) : typeof part === 'string' ? { type: 'text', text: part } : [],
  );
  return contentOf(parts) ?? undefined;
}
