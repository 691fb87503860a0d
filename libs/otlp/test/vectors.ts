import { deepStrictEqual } from 'node:assert';
import { decodeTraces } from '../src/codec/decode-traces.js';
import { encodeRequest } from '../src/codec/protobuf/encode-request.js';
import { toEvents, type MappedTraces } from '../src/to-events.js';
import { PROJECT } from './map-one.js';
import { jsonBody, requestJson, spanJson, type SpanInput } from './otlp-request.js';

/** Expected events of the spans of one request; the scope is the sending library. */
export type Vector = readonly [name: string, spans: SpanInput[], events: object[], scope?: string];

/** Vectors as rows for `it.each`. */
export function table(vectors: readonly Vector[]) {
  return vectors.map(([name, spans, events, scope = 'tests']) => ({ name, spans, events, scope }));
}

/** A child span. */
export function below(
  parentSpanId: string,
  spanId: string,
  name: string,
  attributes: Record<string, unknown>,
): SpanInput {
  return { parentSpanId, spanId, name, attributes };
}

/** Maps one request in both encodings, twice each. @throws AssertionError when the results differ */
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
