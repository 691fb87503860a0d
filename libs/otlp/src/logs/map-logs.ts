import { isJsonObject, type Event, type JsonValue } from '@assay/domain';
import type { Steps } from '@assay/runtime';
import { compareInstants } from '../codec/instants.js';
import { DETAILS_EVENT } from '../conventions/gen-ai.js';
import { setOwn } from '../json/set-own.js';
import type { Span, SpanEvent } from '../messages.js';
import { mapEventsSteps, type MappedTraces, type ToEventsContext } from '../to-events.js';
import type { DecodedLogs, LogRecord } from './log-record.js';

/** Attribute that holds the body of a message event, see the conventions of span events. */
const BODY = 'gen_ai.event.content';

/**
 * Maps GenAI log events to the events of their spans: each log event is read as the span event of the same
 * name. The events are synthesised, so that each field of the span, whenever it arrives, takes precedence;
 * inputs and outputs that the span does not have come from the logs. The span brings its session.
 */
export function* mapLogsSteps(logs: DecodedLogs, context: ToEventsContext): Steps<MappedTraces> {
  const spans = [...groupBySpan(logs.records)].map(spanOf);
  const mapped = yield* mapEventsSteps({ spans, rejected: { count: 0, message: '' } }, context);
  return { ...mapped, events: mapped.events.map(asFragment), sessions: [], rejected: logs.rejected };
}

function groupBySpan(records: readonly LogRecord[]): Iterable<readonly LogRecord[]> {
  const groups = new Map<string, LogRecord[]>();
  for (const record of records) {
    const key = `${record.traceId}/${record.spanId}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups.values();
}

/** Span of the records, with nothing but their events. */
function spanOf(records: readonly LogRecord[]): Span {
  const [first] = [...records].sort((a, b) => compareInstants(a.time, b.time)) as [LogRecord];
  return {
    traceId: first.traceId,
    spanId: first.spanId,
    parentSpanId: undefined,
    malformedParentSpanId: undefined,
    traceState: '',
    flags: 0,
    name: '',
    kind: 'UNSPECIFIED',
    start: first.time,
    end: undefined,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: new Map(),
    events: records.map(eventOf),
    links: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    resource: first.resource,
    scope: first.scope,
  };
}

/** The record as a span event: the body is its content, or, of an event with attributes, more attributes. */
function eventOf({ eventName, time, body, attributes }: LogRecord): SpanEvent {
  const all = new Map(attributes);
  all.delete('event.name');
  if (eventName === DETAILS_EVENT && isJsonObject(body))
    for (const key of Object.keys(body)) all.set(key, body[key] as JsonValue);
  else if (body !== null) all.set(BODY, isJsonObject(body) ? body : { content: body });
  return { name: eventName, time, attributes: all, droppedAttributesCount: 0 };
}

/** What the logs say about the event; protocol fields are those of the span. */
function asFragment(event: Event): Event {
  const { otel, trace_id: traceId, span_id: spanId, ...metadata } = event.metadata;
  const ids = { trace_id: traceId ?? null, span_id: spanId ?? null };
  const events = isJsonObject(otel) ? otel['events'] : undefined;
  if (events !== undefined) setOwn(metadata, 'log_events', events);
  return {
    ...event,
    event_type: event.event_type === 'session' ? 'chain' : typeOf(event),
    metadata: { ...ids, ...metadata },
    origin: 'synthesised',
  };
}

/** GenAI events without a type of their own describe the call of a model. */
function typeOf({ event_type: type }: Event): Event['event_type'] {
  return type === 'tool' ? 'tool' : 'model';
}
