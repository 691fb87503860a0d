import type { JsonValue } from '@assay/domain';
import {
  SPAN_KINDS,
  STATUS_CODES,
  type Instant,
  type Resource,
  type Scope,
  type Span,
  type SpanEvent,
  type SpanKind,
  type SpanLink,
  type StatusCode,
} from '../../messages.js';
import { instantFromHalves } from '../instants.js';
import { checkSpanId, checkTraceId, readParentId } from '../span-ids.js';
import { readKeyValue } from './any-value.js';
import type { Slice } from './layout.js';
import { readRawAttribute } from './raw-attribute.js';
import { readText } from './text.js';
import type { WireReader } from './wire-reader.js';
import { BYTES, FIXED32, FIXED64, VARINT } from './wire-reader.js';

/** Fields of a span while its message is read. */
class SpanFields {
  traceId = '';
  spanId = '';
  parentSpanId = '';
  traceState = '';
  flags = 0;
  name = '';
  kind: SpanKind = 'UNSPECIFIED';
  start: Instant | undefined = undefined;
  end: Instant | undefined = undefined;
  statusCode: StatusCode = 'UNSET';
  statusMessage = '';
  readonly attributes = new Map<string, JsonValue>();
  events: SpanEvent[] = [];
  links: SpanLink[] = [];
  droppedAttributesCount = 0;
  droppedEventsCount = 0;
  droppedLinksCount = 0;
}

/**
 * Reads one span message.
 *
 * @throws BrokenSpan when it is malformed, has no valid ids, or a value nests deeper than 64
 */
export function readSpan(reader: WireReader, slice: Slice, resource: Resource, scope: Scope): Span {
  reader.at = slice.start;
  reader.end = slice.end;
  const fields = new SpanFields();
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) readField(reader, tag, fields);
  const traceId = checkTraceId(fields.traceId);
  const spanId = checkSpanId(fields.spanId);
  const { parentSpanId, malformedParentSpanId } = readParentId(fields.parentSpanId, traceId, spanId);
  return {
    traceId,
    spanId,
    parentSpanId,
    malformedParentSpanId,
    traceState: fields.traceState,
    flags: fields.flags,
    name: fields.name,
    kind: fields.kind,
    start: fields.start,
    end: fields.end,
    statusCode: fields.statusCode,
    statusMessage: fields.statusMessage,
    attributes: fields.attributes,
    events: fields.events,
    links: fields.links,
    droppedAttributesCount: fields.droppedAttributesCount,
    droppedEventsCount: fields.droppedEventsCount,
    droppedLinksCount: fields.droppedLinksCount,
    resource,
    scope,
  };
}

/** One entry per field of the Span message, by its tag. */
const SPAN_FIELDS: ((reader: WireReader, fields: SpanFields) => void)[] = [];
SPAN_FIELDS[(1 << 3) | BYTES] = (reader, fields) => (fields.traceId = reader.hex());
SPAN_FIELDS[(2 << 3) | BYTES] = (reader, fields) => (fields.spanId = reader.hex());
SPAN_FIELDS[(3 << 3) | BYTES] = (reader, fields) => (fields.traceState = readText(reader));
SPAN_FIELDS[(4 << 3) | BYTES] = (reader, fields) => (fields.parentSpanId = reader.hex());
SPAN_FIELDS[(5 << 3) | BYTES] = (reader, fields) => (fields.name = readText(reader));
SPAN_FIELDS[(6 << 3) | VARINT] = (reader, fields) =>
  (fields.kind = SPAN_KINDS[reader.varint()] ?? 'UNSPECIFIED');
SPAN_FIELDS[(7 << 3) | FIXED64] = (reader, fields) => (fields.start = readInstant(reader));
SPAN_FIELDS[(8 << 3) | FIXED64] = (reader, fields) => (fields.end = readInstant(reader));
SPAN_FIELDS[(9 << 3) | BYTES] = (reader, fields) => readSpanAttribute(reader, fields.attributes);
SPAN_FIELDS[(10 << 3) | VARINT] = (reader, fields) => (fields.droppedAttributesCount = reader.varint());
SPAN_FIELDS[(11 << 3) | BYTES] = (reader, fields) =>
  fields.events.push(readEvent(reader, reader.lengthEnd()));
SPAN_FIELDS[(12 << 3) | VARINT] = (reader, fields) => (fields.droppedEventsCount = reader.varint());
SPAN_FIELDS[(13 << 3) | BYTES] = (reader, fields) => fields.links.push(readLink(reader, reader.lengthEnd()));
SPAN_FIELDS[(14 << 3) | VARINT] = (reader, fields) => (fields.droppedLinksCount = reader.varint());
SPAN_FIELDS[(15 << 3) | BYTES] = (reader, fields) => readStatus(reader, reader.lengthEnd(), fields);
SPAN_FIELDS[(16 << 3) | FIXED32] = (reader, fields) => (fields.flags = reader.fixed32());

function readField(reader: WireReader, tag: number, fields: SpanFields): void {
  const read = tag < SPAN_FIELDS.length ? SPAN_FIELDS[tag] : undefined;
  if (read === undefined) reader.skip(tag);
  else read(reader, fields);
}

/** Adds the KeyValue at the cursor, which is at its length prefix. */
export function readAttribute(reader: WireReader, attributes: Map<string, JsonValue>): void {
  readKeyValue(reader, reader.lengthEnd(), 0);
  attributes.set(reader.key, reader.value);
}

/** Shortest attribute that is looked at for long messages. */
const MIN_RAW_ATTRIBUTE = 2_048;

function readSpanAttribute(reader: WireReader, attributes: Map<string, JsonValue>): void {
  const end = reader.lengthEnd();
  const raw =
    reader.rawText && end - reader.at >= MIN_RAW_ATTRIBUTE ? readRawAttribute(reader, end) : undefined;
  if (raw !== undefined) {
    attributes.set(raw.key, raw.value);
    reader.at = end;
    return;
  }
  readKeyValue(reader, end, 0);
  attributes.set(reader.key, reader.value);
}

function readInstant(reader: WireReader): Instant | undefined {
  return instantFromHalves(reader.fixed64(), reader.high);
}

function readStatus(reader: WireReader, end: number, fields: SpanFields): void {
  const outer = reader.end;
  reader.end = end;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === ((2 << 3) | BYTES)) fields.statusMessage = readText(reader);
    else if (tag === ((3 << 3) | VARINT)) fields.statusCode = STATUS_CODES[reader.varint()] ?? 'UNSET';
    else reader.skip(tag);
  }
  reader.end = outer;
}

function readEvent(reader: WireReader, end: number): SpanEvent {
  const outer = reader.end;
  reader.end = end;
  const event = {
    name: '',
    time: undefined as Instant | undefined,
    attributes: new Map<string, JsonValue>(),
    droppedAttributesCount: 0,
  };
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === ((1 << 3) | FIXED64)) event.time = readInstant(reader);
    else if (tag === ((2 << 3) | BYTES)) event.name = readText(reader);
    else if (tag === ((3 << 3) | BYTES)) readAttribute(reader, event.attributes);
    else if (tag === ((4 << 3) | VARINT)) event.droppedAttributesCount = reader.varint();
    else reader.skip(tag);
  }
  reader.end = outer;
  return event;
}

function readLink(reader: WireReader, end: number): SpanLink {
  const outer = reader.end;
  reader.end = end;
  const link = {
    traceId: '',
    spanId: '',
    traceState: '',
    flags: 0,
    attributes: new Map<string, JsonValue>(),
  };
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === ((1 << 3) | BYTES)) link.traceId = reader.hex();
    else if (tag === ((2 << 3) | BYTES)) link.spanId = reader.hex();
    else if (tag === ((3 << 3) | BYTES)) link.traceState = readText(reader);
    else if (tag === ((4 << 3) | BYTES)) readAttribute(reader, link.attributes);
    else if (tag === ((6 << 3) | FIXED32)) link.flags = reader.fixed32();
    else reader.skip(tag);
  }
  reader.end = outer;
  return link;
}
