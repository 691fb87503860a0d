import { deepStrictEqual } from 'node:assert';
import type { Event, JsonObject } from '@assay/domain';
import { decodeTraces } from '../src/codec/decode-traces.js';
import { encodeRequest } from '../src/codec/protobuf/encode-request.js';
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

/**
 * Maps one span with these attributes: in both encodings, and with the attributes in both orders.
 * @throws AssertionError when these give different events
 */
export function mapAttributes(attributes: Record<string, unknown>): Event {
  const event = mapOne({ attributes });
  const reversed = Object.fromEntries(Object.entries(attributes).reverse());
  for (const sent of [attributes, reversed]) {
    const request = requestJson([spanJson({ attributes: sent })]);
    const context = { projectId: PROJECT, receivedAt: 1 };
    const inJson = decodeTraces(jsonBody(request), 'json');
    const inProtobuf = decodeTraces(encodeRequest(request), 'protobuf', { rawText: true });
    for (const decoded of [inJson, inProtobuf]) deepStrictEqual(toEvents(decoded, context).events, [event]);
  }
  return event;
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
