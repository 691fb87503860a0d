import { isServingKind, traceSessionId } from '@assay/domain';
import { compareInstants } from '../codec/instants.js';
import type { Span } from '../messages.js';
import { callingKey } from './group-spans.js';
import type { MappedSpan } from './map-span.js';

/** Session of the spans of a trace that do not name one. */
export interface TraceSession {
  readonly traceId: string;
  readonly sessionId: string;
  /** Whether a span or its resource named it, rather than being derived from the trace id. */
  readonly explicit: boolean;
}

/** The spans of one trace in a request by their key, see `group-spans`. */
export type TraceSpans = ReadonlyMap<string, MappedSpan>;

/** Roots first, then by start, then by id, then calling before serving: independent of wire order. */
export function compareSpans(a: MappedSpan, b: MappedSpan): number {
  const roots = Number(b.span.parentSpanId === undefined) - Number(a.span.parentSpanId === undefined);
  return roots || compareStarts(a.span, b.span);
}

/** By start, then by id, then calling before serving. */
export function compareStarts(a: Span, b: Span): number {
  const serving = Number(isServingKind(a.kind)) - Number(isServingKind(b.kind));
  return (
    compareInstants(a.start, b.start) || (a.spanId < b.spanId ? -1 : Number(a.spanId > b.spanId) || serving)
  );
}

/** First span by {@link compareSpans}. */
export function firstSpan(spans: Iterable<MappedSpan>): MappedSpan | undefined {
  let first: MappedSpan | undefined;
  for (const span of spans) if (first === undefined || compareSpans(span, first) < 0) first = span;
  return first;
}

/** Session of a trace: the known one, else one that a span names, else derived from the trace id. */
export function traceSession(
  traceId: string,
  spans: TraceSpans,
  projectId: string,
  known: string | undefined,
): TraceSession {
  const named = firstSpan([...spans.values()].filter((mapped) => mapped.session !== undefined))?.session;
  if (known !== undefined)
    return { traceId, sessionId: known, explicit: named !== undefined && named.id === known };
  if (named !== undefined) return { traceId, sessionId: named.id, explicit: true };
  return { traceId, sessionId: traceSessionId(projectId, traceId), explicit: false };
}

/** Session id per span: its own, else that of its nearest ancestor in the request, else that of the trace. */
export function resolveSessions(spans: TraceSpans, fallback: string): Map<MappedSpan, string> {
  const resolved = new Map<MappedSpan, string>();
  for (const span of spans.values()) resolveSession(span, spans, fallback, resolved);
  return resolved;
}

function resolveSession(
  span: MappedSpan,
  spans: TraceSpans,
  fallback: string,
  resolved: Map<MappedSpan, string>,
): void {
  const path = new Set<MappedSpan>();
  let current: MappedSpan | undefined = span;
  while (
    current !== undefined &&
    current.session === undefined &&
    !resolved.has(current) &&
    !path.has(current)
  ) {
    path.add(current);
    current = parentOf(current, spans);
  }
  const found = current === undefined ? undefined : (current.session?.id ?? resolved.get(current));
  for (const member of path) resolved.set(member, found ?? fallback);
  if (span.session !== undefined) resolved.set(span, span.session.id);
}

/** The parent of a serving span is the calling span with its id, if there is one. */
function parentOf({ span }: MappedSpan, spans: TraceSpans): MappedSpan | undefined {
  const calling = isServingKind(span.kind) ? spans.get(callingKey(span.spanId)) : undefined;
  return calling ?? (span.parentSpanId === undefined ? undefined : spans.get(span.parentSpanId));
}
