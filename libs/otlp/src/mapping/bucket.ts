import type { JsonObject, JsonValue } from '@assay/domain';
import type { SlotBucket } from '../conventions/rule.js';
import { setOwn } from '../json/set-own.js';
import type { SpanBuilder } from './span-builder.js';

/** Sets what is not there yet. */
export function fill(bucket: JsonObject, key: string, value: JsonValue): void {
  if (!Object.hasOwn(bucket, key)) setOwn(bucket, key, value);
}

export function fillAll(bucket: JsonObject, values: JsonObject): void {
  for (const key of Object.keys(values)) fill(bucket, key, values[key] as JsonValue);
}

/** What the user said in so many words. */
export function fillExplicit(draft: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  for (const spread of draft.spreadsOf(name, true)) fillAll(bucket, spread.values);
}

/** What conventions say key by key. */
export function fillSlots(draft: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  for (const slot of draft.filled(name)) fill(bucket, slot.key, draft.value(slot) as JsonValue);
}

/** What only fills gaps. */
export function fillGaps(draft: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  for (const spread of draft.spreadsOf(name, false)) fillAll(bucket, spread.values);
}

/** A bucket from all of them, in this order. */
export function bucketOf(draft: SpanBuilder, name: SlotBucket): JsonObject {
  const bucket: JsonObject = {};
  fillExplicit(draft, name, bucket);
  fillSlots(draft, name, bucket);
  fillGaps(draft, name, bucket);
  return bucket;
}
