import type { Event, JsonObject, JsonValue } from '@assay/domain';
import type { SpanEvent } from '../messages.js';
import { attributeValue } from '../codec/protobuf/raw-messages.js';
import { put } from './metadata.js';
import { eventFacts } from './otel-facts.js';
import { isAttribute, type UnmappedAttribute } from './source.js';
import type { SpanBuilder } from './span-builder.js';
import { StoredValues } from './stored-values.js';

type Buckets = Pick<
  Event,
  'inputs' | 'outputs' | 'config' | 'metadata' | 'metrics' | 'feedback' | 'user_properties'
>;

/**
 * Stores what outranked and partially read attributes carry beyond the finished event: in the metadata under
 * the key of the attribute, and for span events as span events.
 * @param facts values that the event has outside its buckets
 */
export function storeRest(builder: SpanBuilder, buckets: Buckets, facts: readonly JsonValue[]): void {
  const { metadata } = buckets;
  const stored = storedValues(buckets, facts);
  for (const source of builder.contested) {
    if (isAttribute(source)) storeAttribute(source, metadata, stored);
    else if ('members' in source)
      for (const member of source.members) storeAttribute(member.source, metadata, stored);
    else storeEvents(source.events, metadata['otel'] as JsonObject, stored);
  }
}

/** The values of an event without its protocol fields, and the facts. */
function storedValues(buckets: Buckets, facts: readonly JsonValue[]): StoredValues {
  const stored = new StoredValues();
  const { metadata, ...others } = buckets;
  for (const bucket of Object.values(others)) stored.add(bucket);
  for (const key in metadata) if (key !== 'otel') stored.add(metadata[key] as JsonValue);
  for (const fact of facts) stored.add(fact);
  return stored;
}

function storeAttribute([key, sent]: UnmappedAttribute, metadata: JsonObject, stored: StoredValues): void {
  const value = attributeValue(sent);
  // A number says nothing without its key, so an equal number elsewhere is not the same fact.
  const rest = typeof value === 'number' || typeof value === 'boolean' ? value : stored.rest(value);
  if (rest === undefined) return;
  put(metadata, key, rest);
  stored.add(rest);
}

function storeEvents(events: readonly SpanEvent[], otel: JsonObject, stored: StoredValues): void {
  const kept: JsonValue[] = [];
  for (const event of events) {
    const attributes = new Map<string, JsonValue>();
    for (const [key, value] of event.attributes) {
      const rest = stored.rest(value);
      if (rest !== undefined) attributes.set(key, rest);
    }
    if (attributes.size > 0) kept.push(eventFacts({ ...event, attributes }));
  }
  if (kept.length > 0) otel['events'] = [...((otel['events'] as JsonValue[] | undefined) ?? []), ...kept];
}
