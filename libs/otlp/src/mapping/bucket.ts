import { setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import type { SlotBucket } from '../conventions/rule.js';
import type { Slot } from './slots.js';
import type { Spread } from './source.js';
import type { SpanBuilder } from './span-builder.js';

/** Sets a key that is absent. @returns whether the key holds another value */
export function fill(bucket: JsonObject, key: string, value: JsonValue): boolean {
  if (Object.hasOwn(bucket, key)) return bucket[key] !== value;
  setOwn(bucket, key, value);
  return false;
}

/** Sets the keys that are absent. @returns whether a key holds another value */
export function fillAll(bucket: JsonObject, values: JsonObject): boolean {
  let differs = false;
  for (const key of Object.keys(values)) differs = fill(bucket, key, values[key] as JsonValue) || differs;
  return differs;
}

function fillSpreads(builder: SpanBuilder, bucket: JsonObject, spreads: readonly Spread[]): void {
  for (const { values, source } of spreads) if (fillAll(bucket, values)) builder.contest(source);
}

/** Values set explicitly by the user. */
export function fillExplicit(builder: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  fillSpreads(builder, bucket, builder.spreadsOf(name, true));
}

/** Values mapped by conventions, per key. */
export function fillSlots(builder: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  for (const slot of builder.filled(name))
    if (fill(bucket, slot.key, builder.value(slot) as JsonValue)) builder.contestSlot(slot);
}

/** Objects that only fill absent keys. */
export function fillGaps(builder: SpanBuilder, name: SlotBucket, bucket: JsonObject): void {
  fillSpreads(builder, bucket, builder.spreadsOf(name, false));
}

/** Fills the keys that are absent from the value of a slot. */
export function fillFrom(
  builder: SpanBuilder,
  bucket: JsonObject,
  slot: Slot,
  read: (value: JsonValue) => JsonObject,
): void {
  const value = builder.value(slot);
  if (value !== undefined && fillAll(bucket, read(value))) builder.contestSlot(slot);
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
