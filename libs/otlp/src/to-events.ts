import { separateEvents, type Event } from '@assay/domain';
import { validationError } from '@assay/errors';
import { runSync, type Steps } from '@assay/runtime';
import { EventIds, type EventAlias } from './mapping/event-ids.js';
import { fitEventsSteps } from './mapping/fit-events.js';
import { groupSpansSteps, servingKeyOf } from './mapping/group-spans.js';
import type { LinkedPatch } from './mapping/linked-evaluation.js';
import { SpanMapper, type MappedSpan } from './mapping/map-span.js';
import { sessionEvaluationPatches } from './mapping/session-evaluations.js';
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
  /** Project of the API key. */
  readonly projectId: string;
  /** Unix milliseconds; the start of a span that has no time at all. */
  readonly receivedAt: number;
  /** Source from a request header, for spans without their own. */
  readonly sourceHeader?: string | undefined;
  /** Known session id of a trace (32 hex digits) from earlier requests. */
  readonly knownSession?: ((traceId: string) => string | undefined) | undefined;
  /** Estimates the cost of model calls without a reported cost; absent: no estimate. */
  readonly prices?: PriceTable | undefined;
  /** Maximum size of an event in bytes of JSON, of those that {@link DecodedTraces.isLarge} asks to measure; absent: 10 MB. */
  readonly maxEventBytes?: number | undefined;
}

export interface MappedTraces {
  /** One complete event per span, grouped by trace. */
  readonly events: Event[];
  /** Synthesised session events (`origin` `synthesised`), one per session of the request. */
  readonly sessions: Event[];
  readonly rejected: Rejected;
  /** Session of each trace of the request, to be cached for later spans. */
  readonly traceSessions: TraceSession[];
  /** Spans whose event id differs from the derived id that their children use. */
  readonly aliases: EventAlias[];
  /**
   * Patches of other events: from spans that only carry evaluations of them, and from session evaluations.
   */
  readonly patches: LinkedPatch[];
}

/**
 * Maps decoded spans to events. The same spans give the same ids, independent of order and repetition.
 * @throws AppError VALIDATION_ERROR when a non-empty request has no valid span
 */
export function toEvents(request: DecodedTraces, context: ToEventsContext): MappedTraces {
  return runSync(mapEventsSteps(request, context));
}

/**
 * Cooperative version of {@link toEvents}: yields between spans. Known sessions are looked up at the end,
 * without yielding.
 */
export function* mapEventsSteps(request: DecodedTraces, context: ToEventsContext): Steps<MappedTraces> {
  if (request.spans.length === 0 && request.rejected.count > 0)
    throw validationError(`no valid span: ${request.rejected.message}`);
  const mapper = new SpanMapper(context);
  const traces = new Map<string, TraceSpans>();
  const grouped = yield* groupSpansSteps(request);
  for (const [traceId, spans] of grouped.traces) traces.set(traceId, yield* mapTrace(spans, mapper));
  const traceSessions: TraceSession[] = [];
  const aliases: EventAlias[] = [];
  const pairs: SpanEventPair[] = [];
  for (const [traceId, trace] of traces) {
    const session = traceSession(traceId, trace, context.projectId, context.knownSession?.(traceId));
    traceSessions.push(session);
    const mapped = eventsOfTrace(trace, session, context.projectId);
    for (const pair of mapped.pairs) pairs.push(pair);
    for (const alias of mapped.aliases) aliases.push(alias);
  }
  const mapped: MappedTraces = {
    events: pairs.map(({ event }) => event),
    sessions: synthesiseSessions(pairs),
    rejected: grouped.rejected,
    traceSessions,
    aliases,
    patches: [
      ...pairs.flatMap(({ mapped }) => mapped.linked ?? []),
      ...sessionEvaluationPatches(pairs, context.projectId),
    ],
  };
  return request.isLarge === true ? yield* fitEventsSteps(mapped, context.maxEventBytes) : mapped;
}

function* mapTrace(spans: ReadonlyMap<string, Span>, mapper: SpanMapper): Steps<TraceSpans> {
  const mapped = new Map<string, MappedSpan>();
  for (const [key, span] of spans) {
    yield;
    mapped.set(key, mapper.map(span));
  }
  return mapped;
}

/** Events of one trace, and the event ids that its spans set. */
function eventsOfTrace(trace: TraceSpans, session: TraceSession, projectId: string) {
  const sessions = resolveSessions(trace, session.sessionId);
  const ids = new EventIds(projectId, session.traceId);
  const aliases: EventAlias[] = [];
  for (const [key, mapped] of trace) {
    const ownId = mapped.eventType === 'session' ? sessions.get(mapped) : mapped.eventId;
    if (ownId !== undefined) aliases.push(ids.override(key, mapped.span.spanId, ownId));
  }
  const pairs = new Map<string, SpanEventPair>();
  for (const [key, mapped] of trace) {
    const sessionId = sessions.get(mapped) ?? session.sessionId;
    const refs = {
      id: ids.of(key, mapped.span.spanId),
      sessionId,
      parentId: parentOf(mapped, sessionId, ids),
    };
    pairs.set(key, { mapped, event: toEvent(mapped, refs, projectId) });
  }
  separateShared(pairs);
  return { pairs: [...pairs.values()], aliases };
}

/** Gives the event of each calling span an id of its own when the serving span with its span id has the same one. */
function separateShared(pairs: Map<string, SpanEventPair>): void {
  for (const [key, calling] of pairs) {
    const servingKey = servingKeyOf(key);
    const serving = servingKey === undefined ? undefined : pairs.get(servingKey);
    if (servingKey === undefined || serving?.event.event_id !== calling.event.event_id) continue;
    const separate = separateEvents(calling.event, serving.event);
    if (separate === undefined) continue;
    pairs.set(servingKey, { ...serving, event: separate.serving });
    pairs.set(key, { ...calling, event: separate.calling });
  }
}

interface EventRefs {
  readonly id: string;
  readonly sessionId: string;
  readonly parentId: string;
}

function toEvent(mapped: MappedSpan, { id, sessionId, parentId }: EventRefs, projectId: string): Event {
  const { times, eventType, buckets } = mapped;
  const isSession = eventType === 'session';
  return {
    project_id: projectId,
    event_id: id,
    session_id: sessionId,
    parent_id: isSession ? null : parentId,
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

/**
 * Event id of the parent span, which may not have arrived; the parent of a root is the one it names, else its
 * session.
 */
function parentOf(mapped: MappedSpan, sessionId: string, ids: EventIds): string {
  const { parentSpanId } = mapped.span;
  return parentSpanId === undefined ? (mapped.parentId ?? sessionId) : ids.of(parentSpanId, parentSpanId);
}
