import type { JsonObject, JsonValue } from '@assay/domain';
import type { SlotBucket } from '../conventions/rule.js';
import { setOwn } from '../json/set-own.js';
import type { SpanBuilder } from './span-builder.js';

/** Sets a key that is absent. */
export function fill(bucket: JsonObject, key: string, value: JsonValue): void {
  if (!Object.hasOwn(bucket, key)) setOwn(bucket, key, value);
}

export function fillAll(bucket: JsonObject, values: JsonObject): void {
  for (const key of Object.keys(values)) fill(bucket, key, values[key] as JsonValue);
}

/** Values set explicitly by the user. */
export function fillExplicit(draft: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  for (const spread of draft.spreadsOf(name, true)) fillAll(bucket, spread.values);
}

/** Values mapped by conventions, per key. */
export function fillSlots(draft: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  for (const slot of draft.filled(name)) fill(bucket, slot.key, draft.value(slot) as JsonValue);
}

/** Objects that only fill absent keys. */
export function fillGaps(draft: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  for (const spread of draft.spreadsOf(name, false)) fillAll(bucket, spread.values);
}

/**
 * Builds a bucket from explicit values, convention slots and fill-in objects, in this order of precedence.
 */
export function bucketOf(draft: SpanBuilder, name: SlotBucket): JsonObject {
  const bucket: JsonObject = {};
  fillExplicit(draft, name, bucket);
  fillSlots(draft, name, bucket);
  fillGaps(draft, name, bucket);
  return bucket;
}
