import type { EventType, JsonValue } from '@assay/domain';
import { readMessagesStrictly } from '../chat/read-messages.js';
import { cutList } from '../json/cut-list.js';
import { parsed } from '../json/parse-json.js';
import type { Slot } from './slots.js';
import type { SpanBuilder } from './span-builder.js';

/**
 * The whole input or output of a model; of messages whose JSON was cut at a length limit, those before the cut, while the rest stays
 * under the key of the attribute.
 * @returns undefined when no message is complete
 */
export function wholeMessages(
  builder: SpanBuilder,
  slot: Slot,
  value: JsonValue,
  type: EventType,
): JsonValue | undefined {
  if (type !== 'model' || typeof value !== 'string') return value;
  const cut = cutList(value);
  const key = builder.sourceKey(slot);
  if (cut === undefined || key === undefined) return value;
  const complete = cut.complete === undefined ? undefined : parsed(cut.complete);
  if (complete !== undefined && readMessagesStrictly(complete, 'user') === undefined) return value;
  builder.keepCut(key, cut.rest);
  return complete;
}
