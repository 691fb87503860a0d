import type { Event, JsonObject } from '@assay/domain';
import { decodeTraces } from '../src/codec/decode-traces.js';
import { toEvents, type MappedTraces } from '../src/to-events.js';
import { jsonBody, requestJson, spanJson, type SpanInput } from './otlp-request.js';

export const PROJECT = 'project-1';

/** Maps spans given in OTLP/JSON. */
export function mapSpans(spans: SpanInput[], resource: Record<string, unknown> = {}): MappedTraces {
  return toEvents(decodeTraces(jsonBody(requestJson(spans.map(spanJson), resource)), 'json'), {
    projectId: PROJECT,
    receivedAt: 1,
  });
}

/** Maps one span given in OTLP/JSON. */
export function mapOne(input: SpanInput): Event {
  const [event] = mapSpans([input]).events;
  if (event === undefined) throw new Error('the span gave no event');
  return event;
}

/** Maps one span with these attributes. */
export function mapAttributes(attributes: Record<string, unknown>): Event {
  return mapOne({ attributes });
}

/**
 * The value of `bucket.key` of an event; the key is everything after the first dot. `error` and other fields
 * have no dot.
 */
export function valueAt(event: Event, path: string): unknown {
  const dot = path.indexOf('.');
  if (dot === -1) return event[path as keyof Event];
  const bucket = event[path.slice(0, dot) as keyof Event] as JsonObject;
  return bucket[path.slice(dot + 1)];
}
