import {
  isJsonObject,
  mergeLogEvents,
  spanEventId,
  withLogContent,
  setOwn,
  type Event,
  type JsonObject,
  type JsonValue,
  type SplitEvent,
} from '@assay/domain';
import { mapSteps, type Steps } from '@assay/runtime';
import { asText } from '../conventions/readers.js';
import { isExceptionEvent } from '../conventions/exception-event.js';
import { DETAILS_EVENT } from '../conventions/gen-ai.js';
import type { Span, SpanEvent } from '../messages.js';
import { mapEventsSteps, type MappedTraces, type ToEventsContext } from '../to-events.js';
import { fitEventsSteps } from '../mapping/fit-events.js';
import type { TraceSession } from '../mapping/trace-sessions.js';
import { exceptionOf } from './exception-of-record.js';
import { identityAttributes } from './identity-attributes.js';
import type { DecodedLogs, LogRecord } from './log-record.js';
import { contentOfRecord, severityOf } from './record-content.js';

/** Attribute that holds the body of a message event, see the conventions of span events. */
const BODY = 'gen_ai.event.content';

/**
 * Maps GenAI log events to the events of their spans: each log event is read as the span event of the same
 * name. The events are synthesised, so that each field of the span, whenever it arrives, takes precedence.
 * Records are mapped one by one and merged as those of different requests are, so it does not matter which
 * of them a request contains. The span brings its session.
 */
export function* mapLogsSteps(logs: DecodedLogs, context: ToEventsContext): Steps<MappedTraces> {
  let groups = groupBySpan(logs.records);
  const events = new Map<string, SplitEvent[]>();
  const patches: MappedTraces['patches'] = [];
  const traceSessions = new Map<string, TraceSession>();
  for (let index = 0; groups.length > 0; index++) {
    const records = groups.map((group) => group[index] as LogRecord);
    groups = groups.filter((group) => group.length > index + 1);
    const spans = yield* mapSteps(records, spanOf);
    const mapped = yield* mapEventsSteps({ spans, rejected: { count: 0, message: '' } }, context);
    const bySpan = new Map(
      yield* mapSteps(records, (one) => [spanKeyOf(one.traceId, one.spanId), one] as const),
    );
    for (const event of mapped.events) {
      yield;
      const record = bySpan.get(spanKeyOf(event.metadata['trace_id'], event.metadata['span_id']));
      if (record === undefined) throw new Error('an event of log records belongs to no record');
      // A record may name another event, but it belongs to that of its span.
      const id = spanEventId(context.projectId, record.traceId, record.spanId);
      addTo(events, id, asFragment({ ...event, event_id: id }, record, index));
    }
    for (const patch of mapped.patches) patches.push(patch);
    for (const session of mapped.traceSessions) traceSessions.set(session.traceId, session);
  }
  const mapped: MappedTraces = {
    events: yield* mergeAll(events.values()),
    sessions: [],
    rejected: logs.rejected,
    traceSessions: [...traceSessions.values()],
    aliases: [],
    patches,
  };
  return logs.isLarge === true ? yield* fitEventsSteps(mapped, context.maxEventBytes) : mapped;
}

function spanKeyOf(traceId: JsonValue | undefined, spanId: JsonValue | undefined): string {
  return `${asText(traceId ?? null) ?? ''}/${asText(spanId ?? null) ?? ''}`;
}

function groupBySpan(records: readonly LogRecord[]): (readonly LogRecord[])[] {
  const groups = new Map<string, LogRecord[]>();
  for (const record of records) addTo(groups, spanKeyOf(record.traceId, record.spanId), record);
  return [...groups.values()];
}

function addTo<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

/** Merges each group into one event, in pairs, so that many records cost little more than few. */
function* mergeAll(groups: Iterable<SplitEvent[]>): Steps<Event[]> {
  const merged: Event[] = [];
  for (const group of groups) {
    let events = group;
    while (events.length > 1) {
      const pairs: SplitEvent[] = [];
      for (let at = 0; at < events.length; at += 2) {
        const [one, other] = [events[at] as SplitEvent, events[at + 1]];
        pairs.push(other === undefined ? one : mergeLogEvents(one, other));
        yield;
      }
      events = pairs;
    }
    yield;
    merged.push(...events.map(withLogContent));
  }
  return merged;
}

/** Span of the record, with nothing but its event. */
function spanOf(record: LogRecord): Span {
  return {
    traceId: record.traceId,
    spanId: record.spanId,
    parentSpanId: undefined,
    malformedParentSpanId: undefined,
    traceState: '',
    flags: 0,
    name: '',
    kind: 'UNSPECIFIED',
    start: record.time,
    end: undefined,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: new Map(),
    events: [eventOf(record)],
    links: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    resource: record.resource,
    scope: record.scope,
  };
}

/** The record as a span event: the body is its content, or, of an event with attributes, more attributes. */
function eventOf({ eventName, time, body, attributes, droppedAttributesCount }: LogRecord): SpanEvent {
  const all = new Map(attributes);
  all.delete('event.name');
  if (eventName === DETAILS_EVENT && isJsonObject(body))
    for (const key of Object.keys(body))
      all.set(attributes.has(key) ? `body.${key}` : key, body[key] as JsonValue);
  else if (body !== null) all.set(BODY, isJsonObject(body) ? body : { content: body });
  return { name: eventName, time, attributes: all, droppedAttributesCount };
}

/** What the record states about the event; of the protocol's fields its severity, its resource and its scope. */
function asFragment(event: Event, record: LogRecord, index: number): SplitEvent {
  const { otel, trace_id: traceId, span_id: spanId, ...metadata } = event.metadata;
  const exception = exceptionOf(record);
  if (exception?.isWhole !== true) addLogEvents(metadata, record, objectOf(otel)['events']);
  Object.assign(metadata, exception?.facts);
  // The span brings its own, which may be others.
  for (const [key, value] of identityAttributes(record.attributes))
    if (!Object.hasOwn(metadata, key)) setOwn(metadata, key, value);
  const log = contentOfRecord({ ...event, metadata }, { record, index, otel: objectOf(otel) });
  const own: Event = {
    ...event,
    event_type: event.event_type === 'session' ? 'chain' : typeOf(event, record),
    inputs: {},
    outputs: {},
    config: {},
    metadata: { trace_id: traceId ?? null, span_id: spanId ?? null },
    metrics: {},
    feedback: {},
    user_properties: {},
    origin: 'synthesised',
  };
  return { own, log };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Parts of the record that are no messages keep its severity beside them, because other records may have another. */
function addLogEvents(metadata: JsonObject, record: LogRecord, events: JsonValue | undefined): void {
  if (!Array.isArray(events)) return;
  const severity = severityOf(record);
  setOwn(
    metadata,
    'log_events',
    events.map((event) => ({ ...objectOf(event), ...severity })),
  );
}

/** GenAI events without a type of their own describe the call of a model; any span may have an exception. */
function typeOf({ event_type: type }: Event, { eventName }: LogRecord): Event['event_type'] {
  if (type === 'tool') return type;
  const isOfCall = eventName.startsWith(isExceptionEvent(eventName) ? 'gen_ai.client.' : 'gen_ai.');
  return isOfCall ? 'model' : 'chain';
}
