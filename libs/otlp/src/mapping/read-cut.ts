import { isJsonObject, type JsonValue } from '@assay/domain';
import { hasMessageField } from '../chat/read-message.js';
import { cutJson } from '../json/cut-json.js';
import { parsed } from '../json/parse-json.js';
import { accepted, isBareText } from './accepted-value.js';
import type { CompiledDestination } from './rule-index.js';

export interface ReadCut {
  /** JSON text of what is complete and was read. */
  readonly complete: string | undefined;
  /** What the destination accepts of it; undefined when nothing is complete. */
  readonly value: JsonValue | undefined;
  /** What was not read. */
  readonly rest: string;
}

/**
 * Reads what is complete of JSON text of messages that was cut at a length limit.
 * @returns undefined for any other text
 */
export function readCut(destination: CompiledDestination, text: string): ReadCut | undefined {
  const cut = cutJson(text);
  if (cut === undefined) return undefined;
  const { complete, items, isInList, rest } = cut;
  const object = complete === undefined ? undefined : parsed(complete);
  // Of a single message that was cut, nothing is a message.
  if (isJsonObject(object) && !destination.cut && hasMessageField(object))
    return { complete: undefined, value: undefined, rest: text };
  for (const part of [complete, items]) {
    const value = valueOf(destination, part);
    if (value !== undefined) return { complete: part, value, rest: part === complete ? rest : text };
  }
  if (!isInList && !destination.cut) return undefined;
  // Items that are no messages are nowhere else.
  return { complete: undefined, value: undefined, rest: isInList && complete === undefined ? rest : text };
}

function valueOf(destination: CompiledDestination, part: string | undefined): JsonValue | undefined {
  if (part === undefined) return undefined;
  const value = accepted(destination, part);
  return isBareText(value, part) ? undefined : value;
}
