import { setOwn, type JsonObject, type JsonValue } from '@assay/domain';
import { toMilliseconds } from '../codec/instants.js';
import type { Attributes, Resource, Scope, Span, SpanEvent, SpanLink } from '../messages.js';

/** Attributes as a plain object, for any keys. */
export function attributeObject(attributes: Attributes): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of attributes) setOwn(object, key, value);
  return object;
}

/** Cache of objects shared by many spans of a request. They are frozen, so that a row encoder may keep their text. */
export class SharedFacts {
  private readonly resources = new Map<Resource, JsonObject>();
  private readonly scopes = new Map<Scope, JsonObject>();

  resource(resource: Resource): JsonObject {
    return cached(this.resources, resource, () => deepFreeze(attributeObject(resource.attributes)));
  }

  scope(scope: Scope): JsonObject {
    return cached(this.scopes, scope, () => {
      const facts: JsonObject = { name: scope.name };
      if (scope.version !== '') facts['version'] = scope.version;
      if (scope.attributes.size > 0) facts['attributes'] = attributeObject(scope.attributes);
      return deepFreeze(facts);
    });
  }
}

function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

function cached<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/**
 * Protocol fields of a span, stored as `metadata.otel`. Absent and zero fields are omitted.
 * @param events span events, without those mapped to fields of the event
 */
export function otelFacts(span: Span, events: readonly SpanEvent[], shared: SharedFacts): JsonObject {
  const facts: JsonObject = { trace_id: span.traceId, span_id: span.spanId };
  const parent = span.parentSpanId ?? span.malformedParentSpanId;
  if (parent !== undefined) facts['parent_span_id'] = parent;
  if (span.traceState !== '') facts['trace_state'] = span.traceState;
  if (span.flags > 0) facts['flags'] = span.flags;
  facts['kind'] = span.kind;
  facts['status'] =
    span.statusMessage === ''
      ? { code: span.statusCode }
      : { code: span.statusCode, message: span.statusMessage };
  if (span.scope.name !== '' || span.scope.attributes.size > 0) facts['scope'] = shared.scope(span.scope);
  if (span.resource.attributes.size > 0) facts['resource'] = shared.resource(span.resource);
  if (span.links.length > 0) facts['links'] = span.links.map(linkFacts);
  if (events.length > 0) facts['events'] = events.map(eventFacts);
  if (span.droppedAttributesCount > 0) facts['dropped_attributes_count'] = span.droppedAttributesCount;
  if (span.droppedEventsCount > 0) facts['dropped_events_count'] = span.droppedEventsCount;
  if (span.droppedLinksCount > 0) facts['dropped_links_count'] = span.droppedLinksCount;
  if (span.end === undefined) facts['unfinished'] = true;
  return facts;
}

function linkFacts(link: SpanLink): JsonValue {
  return {
    trace_id: link.traceId,
    span_id: link.spanId,
    ...(link.traceState !== '' && { trace_state: link.traceState }),
    ...(link.attributes.size > 0 && { attributes: attributeObject(link.attributes) }),
  };
}

/** A span event as it is stored. */
export function eventFacts(event: SpanEvent): JsonValue {
  return {
    name: event.name,
    ...(event.time !== undefined && { time: toMilliseconds(event.time) }),
    ...(event.attributes.size > 0 && { attributes: attributeObject(event.attributes) }),
    ...(event.droppedAttributesCount > 0 && { dropped_attributes_count: event.droppedAttributesCount }),
  };
}
