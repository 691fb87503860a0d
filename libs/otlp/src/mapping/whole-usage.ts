import { isJsonObject, type EventType, type JsonObject, type JsonValue } from '@assay/domain';
import { LAST_RESORT } from '../conventions/rule.js';
import { asUsageObject } from '../conventions/usage-object.js';
import type { Slot } from './slots.js';
import type { SpanBuilder } from './span-builder.js';

/** Fields of the responses of providers and frameworks that hold the token counts. */
const USAGE_FIELDS = ['usage', 'usage_metadata', 'usageMetadata', 'token_usage'] as const;

/** Takes the token counts of a call of a model from its whole response in the slot, if the span states none. */
export function addWholeUsage(
  builder: SpanBuilder,
  slot: Slot,
  response: JsonValue | undefined,
  type: EventType,
): void {
  if (type !== 'model' || response === undefined || !isJsonObject(response)) return;
  if (builder.filled('usage').length > 0) return;
  const usage = usageIn(response) ?? usageIn(objectIn(response, 'llm_output'));
  const targets = usage && asUsageObject(usage);
  if (targets !== undefined && Object.keys(targets).some((target) => target.startsWith('usage.')))
    builder.assignParts(slot, targets, LAST_RESORT);
}

function usageIn(response: JsonObject): JsonObject | undefined {
  return USAGE_FIELDS.map((field) => response[field] ?? null).find(isJsonObject);
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key] ?? null;
  return isJsonObject(value) ? value : {};
}
