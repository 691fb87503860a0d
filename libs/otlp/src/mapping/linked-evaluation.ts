import { spanEventId, type EventPatch, type JsonObject } from '@assay/domain';
import type { Span } from '../messages.js';
import type { SpanBuilder } from './span-builder.js';
import { slotOf } from './slots.js';

const TYPE = slotOf('fact.type');

/** Evaluations that a span carries for the event of another span. */
export interface LinkedPatch {
  readonly eventId: string;
  /** Span that carries the evaluations, as `traceId/spanId`. */
  readonly source: string;
  readonly patch: EventPatch;
}

interface EvaluationBuckets {
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  readonly config: JsonObject;
  readonly metadata: JsonObject;
  readonly metrics: JsonObject;
  readonly feedback: JsonObject;
}

/**
 * Whether the span exists only to carry evaluations of another span: it has no other content and exactly one
 * link. With several links the target is ambiguous.
 */
export function carriesEvaluation(span: Span, builder: SpanBuilder, buckets: EvaluationBuckets): boolean {
  if (span.links.length !== 1 || builder.has(TYPE)) return false;
  return (
    isEmpty(buckets.inputs) &&
    isEmpty(buckets.outputs) &&
    isEmpty(buckets.config) &&
    !(isEmpty(buckets.metrics) && isEmpty(buckets.feedback))
  );
}

/** The evaluations as a patch of the event of the linked span; undefined when the link is invalid. */
export function linkedPatch(
  span: Span,
  buckets: EvaluationBuckets,
  projectId: string,
): LinkedPatch | undefined {
  const link = span.links[0];
  if (link === undefined || !/^[0-9a-f]{32}$/.test(link.traceId) || !/^[0-9a-f]{16}$/.test(link.spanId))
    return undefined;
  const patch: EventPatch = {};
  if (!isEmpty(buckets.metrics)) patch.metrics = buckets.metrics;
  if (!isEmpty(buckets.feedback)) patch.feedback = buckets.feedback;
  const evaluations = buckets.metadata['evaluations'];
  if (evaluations !== undefined) patch.metadata = { evaluations };
  return { eventId: spanEventId(projectId, link.traceId, link.spanId), source: sourceOf(span), patch };
}

/** Returns the identity of a span, as in {@link LinkedPatch.source}. */
export function sourceOf({ traceId, spanId }: Span): string {
  return `${traceId}/${spanId}`;
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}
