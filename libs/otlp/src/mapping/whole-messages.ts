import { isJsonObject, type EventType, type JsonValue } from '@assay/domain';
import { hasMessageField } from '../chat/read-message.js';
import { readMessagesStrictly } from '../chat/read-messages.js';
import { cutJson } from '../json/cut-json.js';
import { parsed } from '../json/parse-json.js';
import type { Slot } from './slots.js';
import type { SpanBuilder } from './span-builder.js';

/**
 * The whole input or output of a model; of messages whose JSON was cut at a length limit, those before the cut and the fields beside
 * them, while the rest stays under the key of the attribute.
 * @returns undefined when nothing is complete
 */
export function wholeMessages(
  builder: SpanBuilder,
  slot: Slot,
  value: JsonValue,
  type: EventType,
): JsonValue | undefined {
  if (type !== 'model' || typeof value !== 'string') return value;
  const cut = cutJson(value);
  const key = builder.sourceKey(slot);
  if (cut === undefined || key === undefined) return value;
  const complete = cut.complete === undefined ? undefined : parsed(cut.complete);
  // Of a single message that was cut, nothing is a message.
  if (complete !== undefined && isJsonObject(complete) && hasMessageField(complete)) {
    builder.keepCut(key, value);
    return undefined;
  }
  if (!(cut.isInList && cut.items === undefined) && !holdsMessages(complete ?? null)) return value;
  builder.keepCut(key, cut.rest);
  return complete;
}

function holdsMessages(value: JsonValue): boolean {
  const lists = isJsonObject(value) ? Object.values(value) : [value];
  return lists.some((list) => readMessagesStrictly(list, 'user') !== undefined);
}
