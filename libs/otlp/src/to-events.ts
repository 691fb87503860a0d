import type { Event } from '@assay/domain';
import { validationError } from '@assay/errors';
import { runSync, type Steps } from '@assay/runtime';
import { compareInstants } from './codec/instants.js';
import { PENDING_SPAN } from './conventions/pydantic-ai.js';
import { EventIds, type EventAlias } from './mapping/event-ids.js';
import type { LinkedPatch } from './mapping/linked-verdict.js';
import { SpanMapper, type MappedSpan } from './mapping/map-span.js';
import { sessionVerdicts } from './mapping/session-verdicts.js';
import { synthesiseSessions, type SpanEventPair } from './mapping/synthesise-sessions.js';
import {
  resolveSessions,
  traceSession,
  type TraceSession,
  type TraceSpans,
} from './mapping/trace-sessions.js';
import type { DecodedTraces, Rejected, Span } from './messages.js';
import type { PriceTable } from './prices/price-table.js';

export interface ToEventsContext {
  /** The project of the key. */
  readonly projectId: string;
  /** Unix milliseconds; the start of a span that has no time at all. */
  readonly receivedAt: number;
  /** The source that a header of the request names, for spans that name none. */
  readonly sourceHeader?: string | undefined;
  /** The session id that earlier requests settled for a trace (32 hex digits). */
  readonly knownSession?: ((traceId: string) => string | undefined) | undefined;
  /** Estimates the cost of model calls that report none; absent: they have none. */
  readonly prices?: PriceTable | undefined;
}

export interface MappedTraces {
  /** One complete event for every span, trace by trace. */
  readonly events: Event[];
  /** Session events that nobody sent, `origin` `synthesised`, one for every session of the request. */
  readonly sessions: Event[];
  readonly rejected: Rejected;
  /** The session of each trace of the request, to be remembered for its later spans. */
  readonly traceSessions: TraceSession[];
  /** Spans whose event id is not the one that their children derive. */
  readonly aliases: EventAlias[];
  /** Changes of other events: by spans that only carry verdicts about them, and of sessions by verdicts about the whole of them. */
  readonly patches: LinkedPatch[];
}

/**
 * Maps decoded spans to events. The same spans give the same ids, in whatever order and however often they are sent.
 *
 * @throws AppError VALIDATION_ERROR when a request that is not empty has no valid span
 */
export function toEvents(request: DecodedTraces, context: ToEventsContext): MappedTraces {
  return runSync(mapEventsSteps(request, context));
}

/** As {@link toEvents}; may be interrupted between spans. What is known of sessions is asked for at the end, without interruption. */
export function* mapEventsSteps(request: DecodedTraces, context: ToEventsContext): Steps<MappedTraces> {
  const { rejected } = request;
  if (request.spans.length === 0 && rejected.count > 0)
    throw validationError(`no valid span: ${rejected.message}`);
  const mapper = new SpanMapper(context);
  const traces = new Map<string, TraceSpans>();
  for (const [traceId, spans] of groupByTrace(request.spans))
    traces.set(traceId, yield* mapTrace(spans, mapper));
  const traceSessions: TraceSession[] = [];
  const aliases: EventAlias[] = [];
  const pairs: SpanEventPair[] = [];
  for (const [traceId, trace] of traces) {
    const session = traceSession(traceId, trace, context.projectId, context.knownSession?.(traceId));
    traceSessions.push(session);
    addEvents(trace, session, context.projectId, pairs, aliases);
  }
  return {
    events: pairs.map(({ event }) => event),
    sessions: synthesiseSessions(pairs),
    rejected,
    traceSessions,
    aliases,
    patches: [
      ...pairs.flatMap(({ mapped }) => mapped.linked ?? []),
      ...sessionVerdicts(pairs, context.projectId),
    ],
  };
}

/** Spans by trace and id, without twins of spans that are still running. Of a span that is there more than once the finished one counts, and of those the one that ends last. */
function groupByTrace(spans: readonly Span[]): Map<string, Map<string, Span>> {
  const traces = new Map<string, Map<string, Span>>();
  for (const span of spans) {
    if (span.attributes.get(PENDING_SPAN.key) === PENDING_SPAN.value) continue;
    const trace = traces.get(span.traceId);
    if (trace === undefined) {
      traces.set(span.traceId, new Map([[span.spanId, span]]));
      continue;
    }
    const known = trace.get(span.spanId);
    if (known === undefined || isLater(span, known)) trace.set(span.spanId, span);
  }
  return traces;
}

function isLater(span: Span, known: Span): boolean {
  if (known.end === undefined || span.end === undefined) return known.end === undefined;
  return compareInstants(span.end, known.end) >= 0;
}

function* mapTrace(spans: ReadonlyMap<string, Span>, mapper: SpanMapper): Steps<TraceSpans> {
  const mapped = new Map<string, MappedSpan>();
  for (const [spanId, span] of spans) {
    yield;
    mapped.set(spanId, mapper.map(span));
  }
  return mapped;
}

function addEvents(
  trace: TraceSpans,
  session: TraceSession,
  projectId: string,
  pairs: SpanEventPair[],
  aliases: EventAlias[],
): void {
  const sessions = resolveSessions(trace, session.sessionId);
  const ids = new EventIds(projectId, session.traceId);
  for (const [spanId, mapped] of trace) {
    const ownId = mapped.eventType === 'session' ? sessions.get(mapped) : mapped.eventId;
    if (ownId !== undefined) aliases.push(ids.override(spanId, ownId));
  }
  for (const mapped of trace.values()) {
    const sessionId = sessions.get(mapped) ?? session.sessionId;
    pairs.push({ mapped, event: toEvent(mapped, sessionId, ids, projectId) });
  }
}

function toEvent(mapped: MappedSpan, sessionId: string, ids: EventIds, projectId: string): Event {
  const { times, eventType, buckets } = mapped;
  const isSession = eventType === 'session';
  return {
    project_id: projectId,
    event_id: ids.of(mapped.span.spanId),
    session_id: sessionId,
    parent_id: isSession ? null : parentOf(mapped, sessionId, ids),
    children_ids: [],
    event_type: eventType,
    event_name: isSession ? (mapped.sessionName ?? mapped.eventName) : mapped.eventName,
    source: mapped.source,
    start_time: times.start_time,
    end_time: times.end_time,
    duration: times.duration,
    error: mapped.error,
    inputs: buckets.inputs,
    outputs: buckets.outputs,
    config: buckets.config,
    metadata: buckets.metadata,
    metrics: buckets.metrics,
    feedback: buckets.feedback,
    user_properties: buckets.user_properties,
    origin: 'sent',
  };
}

/** The parent span's event, whether or not it has arrived; a root hangs below the parent it names, else below its session. */
function parentOf(mapped: MappedSpan, sessionId: string, ids: EventIds): string {
  const { parentSpanId } = mapped.span;
  return parentSpanId === undefined ? (mapped.parentId ?? sessionId) : ids.of(parentSpanId);
}
