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
export function fillExplicit(builder: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  for (const spread of builder.spreadsOf(name, true)) fillAll(bucket, spread.values);
}

/** Values mapped by conventions, per key. */
export function fillSlots(builder: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  for (const slot of builder.filled(name)) fill(bucket, slot.key, builder.value(slot) as JsonValue);
}

/** Objects that only fill absent keys. */
export function fillGaps(builder: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  for (const spread of builder.spreadsOf(name, false)) fillAll(bucket, spread.values);
}

/**
 * Builds a bucket from explicit values, convention slots and fill-in objects, in this order of precedence.
 */
export function bucketOf(builder: SpanBuilder, name: SlotBucket): JsonObject {
  const bucket: JsonObject = {};
  fillExplicit(builder, name, bucket);
  fillSlots(builder, name, bucket);
  fillGaps(builder, name, bucket);
  return bucket;
}
