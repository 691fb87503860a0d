import { deepStrictEqual } from 'node:assert';
import { decodeTraces } from '../codec/decode-traces.js';
import { encodeRequest } from '../codec/protobuf/encode-request.js';
import { toEvents, type MappedTraces } from '../to-events.js';
import { PROJECT } from './map-one.js';
import { jsonBody, requestJson, spanJson, type SpanInput } from './otlp-request.js';

/** What the spans of one request must become, event by event; the scope is the library that sends them. */
export type Vector = readonly [name: string, spans: SpanInput[], events: object[], scope?: string];

/** The vectors as rows of a table of tests. */
export function table(vectors: readonly Vector[]) {
  return vectors.map(([name, spans, events, scope = 'tests']) => ({ name, spans, events, scope }));
}

/** A span below another one. */
export function below(
  parentSpanId: string,
  spanId: string,
  name: string,
  attributes: Record<string, unknown>,
): SpanInput {
  return { parentSpanId, spanId, name, attributes };
}

/** Maps one request in both encodings, twice each. @throws AssertionError when they do not all give the same */
export function mapBothWays(spans: SpanInput[], scope = 'tests'): MappedTraces {
  const request = requestJson(spans.map(spanJson), {}, scope);
  const context = { projectId: PROJECT, receivedAt: 1 };
  const first = toEvents(decodeTraces(jsonBody(request), 'json'), context);
  deepStrictEqual(toEvents(decodeTraces(jsonBody(request), 'json'), context), first);
  for (const body of [encodeRequest(request), encodeRequest(request)]) {
    deepStrictEqual(toEvents(decodeTraces(body, 'protobuf'), context), first);
  }
  return first;
}
