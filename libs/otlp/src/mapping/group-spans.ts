import { isDeepStrictEqual } from 'node:util';
import { isServingKind } from '@assay/domain';
import type { Steps } from '@assay/runtime';
import { compareInstants } from '../codec/instants.js';
import { PENDING_SPAN } from '../conventions/pydantic-ai.js';
import { combineRejected, rejectedSpans } from '../codec/rejections.js';
import type { DecodedTraces, Rejected, Span } from '../messages.js';

/** Spans of a request by trace and key. */
export interface GroupedSpans {
  readonly traces: ReadonlyMap<string, ReadonlyMap<string, Span>>;
  /** The rejected spans of the request, with those that cannot be kept apart from another one. */
  readonly rejected: Rejected;
}

/**
 * Returns the key of a calling span whose id the serving span of a call has too. The key of every other span is its span
 * id, so that the children of an id that two spans share are found below the serving one.
 */
export function callingKey(spanId: string): string {
  return spanId + CALLING;
}

const CALLING = '/calling';

/** Returns the key of the serving span that shares the id of a calling one; undefined for the key of any other span. */
export function servingKeyOf(key: string): string | undefined {
  return key.endsWith(CALLING) ? key.slice(0, -CALLING.length) : undefined;
}

/**
 * Groups spans by trace and key, without placeholders of running spans. Of one span that is sent twice the finished one is
 * kept, then the one that ends last. Of different spans with one id the calling and the serving one are kept; others are
 * rejected. Yields before it compares two spans, which can be large.
 */
export function* groupSpansSteps({ spans, rejected }: DecodedTraces): Steps<GroupedSpans> {
  const traces = new Map<string, Map<string, Span>>();
  let ambiguous = 0;
  for (const span of spans) {
    if (span.attributes.get(PENDING_SPAN.key) === PENDING_SPAN.value) continue;
    let trace = traces.get(span.traceId);
    if (trace === undefined) traces.set(span.traceId, (trace = new Map<string, Span>()));
    const key = keyIn(trace, span);
    const known = trace.get(key);
    if (known !== undefined) {
      yield;
      if (areDifferent(span, known)) ambiguous++;
      if (!isLater(span, known)) continue;
    }
    trace.set(key, span);
  }
  return { traces, rejected: combineRejected(rejected, rejectedSpans(ambiguous, AMBIGUOUS)) };
}

const AMBIGUOUS =
  'another span of the request has the same traceId, spanId and side of the call; the one that ends last is stored';

/** Returns the key of a span, and makes room for it: a serving span takes the place of the calling one with its id. */
function keyIn(trace: Map<string, Span>, { spanId, kind }: Span): string {
  const known = trace.get(spanId);
  if (known === undefined || isServingKind(known.kind) === isServingKind(kind)) return spanId;
  if (!isServingKind(kind)) return callingKey(spanId);
  trace.set(callingKey(spanId), known);
  trace.delete(spanId);
  return spanId;
}

/** An unfinished span is the beginning of the other one; two finished ones with equal content are one span. */
function areDifferent(one: Span, other: Span): boolean {
  return one.end !== undefined && other.end !== undefined && !isDeepStrictEqual(one, other);
}

function isLater(span: Span, known: Span): boolean {
  if (known.end === undefined || span.end === undefined) return known.end === undefined;
  return compareInstants(span.end, known.end) >= 0;
}
