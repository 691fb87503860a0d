import type { Instant, Resource, Scope, Span, SpanEvent, SpanLink } from '../../messages.js';
import { BrokenSpan } from '../broken-span.js';
import { readInstant } from '../instants.js';
import { checkSpanId, checkTraceId, hexId, readParentId } from '../span-ids.js';
import { readAttributes } from './attributes.js';
import { readSpanKind, readStatusCode } from './enums.js';
import { field, isFields, spanArray, text, unsigned, type Fields } from './fields.js';

export interface SpanOrigin {
  readonly resource: Resource;
  readonly scope: Scope;
  /** Makes strings storable; the identity function when the body contains nothing to clean. */
  readonly clean: (text: string) => string;
}

/**
 * Reads one span of OTLP/JSON.
 *
 * @throws BrokenSpan when its ids or times cannot be read, or a value nests deeper than 64
 */
export function readSpan(value: unknown, attributes: readonly unknown[], origin: SpanOrigin): Span {
  if (!isFields(value)) throw new BrokenSpan('a span must be an object');
  const traceId = checkTraceId(hexId(text(field(value, 'traceId', 'trace_id'))));
  const spanId = checkSpanId(hexId(text(field(value, 'spanId', 'span_id'))));
  const parent = origin.clean(text(field(value, 'parentSpanId', 'parent_span_id')));
  const status = isFields(value['status']) ? value['status'] : {};
  return {
    traceId,
    spanId,
    ...readParentId(hexId(parent), traceId, spanId, parent),
    traceState: origin.clean(text(field(value, 'traceState', 'trace_state'))),
    flags: unsigned(value['flags']),
    name: origin.clean(text(value['name'])),
    kind: readSpanKind(value['kind']),
    start: readTime(field(value, 'startTimeUnixNano', 'start_time_unix_nano'), 'startTimeUnixNano'),
    end: readTime(field(value, 'endTimeUnixNano', 'end_time_unix_nano'), 'endTimeUnixNano'),
    statusCode: readStatusCode(status['code']),
    statusMessage: origin.clean(text(status['message'])),
    attributes: readAttributes(attributes, origin.clean),
    events: spanArray(value['events'], 'events')
      .filter(isFields)
      .map((event) => readEvent(event, origin)),
    links: spanArray(value['links'], 'links')
      .filter(isFields)
      .map((link) => readLink(link, origin)),
    droppedAttributesCount: unsigned(field(value, 'droppedAttributesCount', 'dropped_attributes_count')),
    droppedEventsCount: unsigned(field(value, 'droppedEventsCount', 'dropped_events_count')),
    droppedLinksCount: unsigned(field(value, 'droppedLinksCount', 'dropped_links_count')),
    resource: origin.resource,
    scope: origin.scope,
  };
}

function readTime(value: unknown, name: string): Instant | undefined {
  const instant = readInstant(value);
  if (instant === 'invalid') throw new BrokenSpan(`${name} must be nanoseconds since the Unix epoch`);
  return instant;
}

/** An unreadable time of a span event is treated as missing and does not reject the span. */
function readEvent(value: Fields, origin: SpanOrigin): SpanEvent {
  const time = readInstant(field(value, 'timeUnixNano', 'time_unix_nano'));
  return {
    name: origin.clean(text(value['name'])),
    time: time === 'invalid' ? undefined : time,
    attributes: readAttributes(spanArray(value['attributes'], 'events.attributes'), origin.clean),
    droppedAttributesCount: unsigned(field(value, 'droppedAttributesCount', 'dropped_attributes_count')),
  };
}

function readLink(value: Fields, origin: SpanOrigin): SpanLink {
  return {
    traceId: origin.clean(hexId(text(field(value, 'traceId', 'trace_id')))),
    spanId: origin.clean(hexId(text(field(value, 'spanId', 'span_id')))),
    traceState: origin.clean(text(field(value, 'traceState', 'trace_state'))),
    flags: unsigned(value['flags']),
    attributes: readAttributes(spanArray(value['attributes'], 'links.attributes'), origin.clean),
  };
}
