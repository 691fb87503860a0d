import { traceSessionId } from '@assay/domain';
import { compareInstants } from '../codec/instants.js';
import type { MappedSpan } from './map-span.js';

/** Session of the spans of a trace that do not name one. */
export interface TraceSession {
  readonly traceId: string;
  readonly sessionId: string;
  /** Whether a span or its resource named it, rather than being derived from the trace id. */
  readonly explicit: boolean;
}

/** The spans of one trace in a request, by span id. */
export type TraceSpans = ReadonlyMap<string, MappedSpan>;

/** Roots first, then by start, then by id: independent of wire order. */
export function compareSpans(a: MappedSpan, b: MappedSpan): number {
  const roots = Number(b.span.parentSpanId === undefined) - Number(a.span.parentSpanId === undefined);
  return roots || compareInstants(a.span.start, b.span.start) || (a.span.spanId < b.span.spanId ? -1 : 1);
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
    current = current.span.parentSpanId === undefined ? undefined : spans.get(current.span.parentSpanId);
  }
  const found = current === undefined ? undefined : (current.session?.id ?? resolved.get(current));
  for (const member of path) resolved.set(member, found ?? fallback);
  if (span.session !== undefined) resolved.set(span, span.session.id);
}
