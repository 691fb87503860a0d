import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { AppError } from '@assay/errors';
import fc from 'fast-check';
import { jsonBody, requestJson, spanJson } from '../../test/otlp-request.js';
import { withReservedLengths } from '../../test/reserved-lengths.js';
import { decodeTraces } from './decode-traces.js';
import { decodeMessage } from './protobuf/descriptor.js';
import { encodeRequest } from './protobuf/encode-request.js';

const seed = Date.now() % 1_000_000_007;
const randomly = { seed, numRuns: 300 };
process.stdout.write(`decode-traces.test.ts seed ${seed}\n`);

/** Two spans of a real tracer that use every field of a span. */
function recordedSpans() {
  const exporter = new InMemorySpanExporter();
  const resource = resourceFromAttributes({ 'service.name': 'shop', numbers: [1, 2] });
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer('shop', '1.2.3');
  const parent = tracer.startSpan('ask', {
    kind: SpanKind.SERVER,
    attributes: { text: 'Grüße 👋', on: true, ratio: 0.25, count: 7 },
  });
  const child = tracer.startSpan(
    'chat',
    { kind: SpanKind.CLIENT, links: [{ context: parent.spanContext(), attributes: { why: 'retry' } }] },
    trace.setSpan(context.active(), parent),
  );
  child.setAttribute('tags', ['a', 'b']).addEvent('first token', { index: 1 });
  child.recordException(new Error('boom'));
  child.setStatus({ code: SpanStatusCode.ERROR, message: 'failed' }).end();
  parent.end();
  return exporter.getFinishedSpans();
}

describe('requests of OpenTelemetry itself', () => {
  const spans = recordedSpans();
  const asJson = Buffer.from(JsonTraceSerializer.serializeRequest(spans) ?? []);
  const asProtobuf = Buffer.from(ProtobufTraceSerializer.serializeRequest(spans) ?? []);

  it('decodes both of its encoders to the same spans', () => {
    const fromJson = decodeTraces(asJson, 'json');
    expect(fromJson.spans).toHaveLength(2);
    expect(decodeTraces(asProtobuf, 'protobuf')).toEqual(fromJson);
  });

  it('decodes lengths with leading zeros, as the exporter of .NET writes them', () => {
    const asDotNet = withReservedLengths(asProtobuf);
    expect(asDotNet.length).toBeGreaterThan(asProtobuf.length + 50);
    expect(decodeTraces(asDotNet, 'protobuf')).toEqual(decodeTraces(asProtobuf, 'protobuf'));
  });

  it('reads every part of them', () => {
    const child = decodeTraces(asProtobuf, 'protobuf').spans.find((span) => span.name === 'chat');
    const parent = spans.find((span) => span.name === 'ask')?.spanContext();
    expect(child).toMatchObject({
      kind: 'CLIENT',
      statusCode: 'ERROR',
      statusMessage: 'failed',
      parentSpanId: parent?.spanId,
    });
    expect(child?.attributes).toEqual(new Map([['tags', ['a', 'b']]]));
    expect(child?.events.map((event) => event.name)).toEqual(['first token', 'exception']);
    expect(child?.links).toMatchObject([
      { traceId: parent?.traceId, spanId: parent?.spanId, attributes: new Map([['why', 'retry']]) },
    ]);
    expect(child?.resource.attributes.get('service.name')).toBe('shop');
    expect(child?.scope).toMatchObject({ name: 'shop', version: '1.2.3' });
  });

  it('is described by our messages exactly', () => {
    const request = decodeMessage('ExportTraceServiceRequest', asProtobuf);
    expect(decodeTraces(encodeRequest(request), 'protobuf')).toEqual(decodeTraces(asProtobuf, 'protobuf'));
  });
});

const anyValues = fc.letrec<{ value: object; list: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant({}),
    fc.record({ stringValue: fc.string({ unit: 'grapheme' }) }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) }),
    fc.record({ doubleValue: fc.double().map((n) => (Number.isFinite(n) ? n : String(n))) }),
    fc.record({ bytesValue: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')) }),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('value'), { maxLength: 4 }) }) }),
    fc.record({ kvlistValue: fc.record({ values: tie('list') }) }),
  ),
  list: fc.array(
    fc.record({
      key: fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')),
      value: tie('value'),
    }),
    {
      maxLength: 4,
    },
  ),
}));
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'123456789abcdef'), minLength: length, maxLength: length });
const times = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const spans = fc.record({
  traceId: digits(32),
  spanId: digits(16),
  parentSpanId: fc.oneof(fc.constant(''), digits(16)),
  traceState: fc.string(),
  flags: fc.nat(0xfff),
  name: fc.string({ unit: 'grapheme' }),
  kind: fc.nat(7),
  startTimeUnixNano: times,
  endTimeUnixNano: times,
  attributes: anyValues.list,
  droppedAttributesCount: fc.nat(),
  events: fc.array(fc.record({ name: fc.string(), timeUnixNano: times, attributes: anyValues.list }), {
    maxLength: 3,
  }),
  links: fc.array(fc.record({ traceId: digits(32), spanId: digits(16), attributes: anyValues.list }), {
    maxLength: 2,
  }),
  status: fc.record({ code: fc.nat(3), message: fc.string() }),
});

describe('random requests', () => {
  it('mean the same in JSON and in protobuf', () => {
    fc.assert(
      fc.property(fc.array(spans, { maxLength: 4 }), (list) => {
        const request = requestJson(list);
        expect(decodeTraces(encodeRequest(request), 'protobuf')).toEqual(
          decodeTraces(jsonBody(request), 'json'),
        );
      }),
      randomly,
    );
  });

  it('are read from the wire as protobufjs reads them', () => {
    fc.assert(
      fc.property(spans, (span) => {
        const bytes = encodeRequest(requestJson([span]));
        const reference = decodeMessage('ExportTraceServiceRequest', bytes);
        // Converting the message with protobufjs to OTLP/JSON and decoding that must give the result of our
        // protobuf reader.
        expect(decodeTraces(bytes, 'protobuf')).toEqual(
          decodeTraces(jsonBody(asOtlpJson(reference)), 'json'),
        );
      }),
      randomly,
    );
  });

  it('never fail with anything but a validation error when they are damaged', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(spans, { minLength: 1, maxLength: 2 }),
        damage,
        fc.nat(),
        fc.constantFrom('json', 'protobuf'),
        (list, bytes, cut, encoding) => {
          const request = requestJson(list);
          const body = encoding === 'json' ? jsonBody(request) : encodeRequest(request);
          for (const [at, byte] of bytes) body[at % body.length] = byte;
          const broken = cut % 3 === 0 ? body.subarray(0, cut % body.length) : body;
          try {
            decodeTraces(broken, encoding);
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
            expect(['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE']).toContain((error as AppError).code);
          }
        },
      ),
      { seed, numRuns: 2000 },
    );
  });
});

/** Ids and bytes as text, as OTLP/JSON requires. */
function asOtlpJson(value: unknown, key = ''): object {
  return JSON.parse(JSON.stringify(textual(value, key))) as object;
}

function textual(value: unknown, key: string): unknown {
  if (value instanceof Uint8Array)
    return Buffer.from(value).toString(key === 'bytesValue' ? 'base64' : 'hex');
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return value.map((item) => textual(item, ''));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, textual(item, name)]));
}

describe('a protobuf request that is not whole', () => {
  const body = encodeRequest(requestJson([spanJson({ attributes: { a: 'b' } }), spanJson()]));

  it('takes zero bytes as an empty request', () => {
    expect(decodeTraces(Buffer.alloc(0), 'protobuf')).toEqual({
      spans: [],
      rejected: { count: 0, message: '' },
    });
  });

  it('is refused when it is cut off', () => {
    for (let length = 1; length < body.length; length++) {
      expect(() => decodeTraces(body.subarray(0, length), 'protobuf')).toThrow(
        'the body is truncated or malformed protobuf',
      );
    }
  });

  it('loses only the span that is broken inside', () => {
    const damaged = Buffer.from(body);
    // The length of the attribute list entry now points past the end of its span.
    damaged[damaged.indexOf(Buffer.from([0x4a, 0x08, 0x0a, 0x01, 0x61])) + 1] = 0x7f;
    const { spans: kept, rejected } = decodeTraces(damaged, 'protobuf');
    expect(kept).toHaveLength(1);
    expect(rejected.message).toBe(
      '1 span rejected: resourceSpans[0].scopeSpans[0].spans[0]: truncated or malformed protobuf',
    );
  });

  it('is refused over 100,000 spans, without decoding them', () => {
    const scope = Buffer.alloc(2 * 100_001, Buffer.from([0x12, 0x00]));
    expect(() => decodeTraces(nest(0x0a, nest(0x12, scope)), 'protobuf')).toThrow(
      'a request may carry at most 100,000 spans',
    );
  });

  it('counts a value nested deeper than 64 against its span only', () => {
    let value = Buffer.from([0x18, 0x01]);
    for (let level = 0; level < 65; level++) value = nest(0x2a, nest(0x0a, value));
    const attribute = nest(0x4a, Buffer.concat([Buffer.from([0x0a, 0x01, 0x61]), nest(0x12, value)]));
    const ids = Buffer.concat([nest(0x0a, Buffer.alloc(16, 1)), nest(0x12, Buffer.alloc(8, 1))]);
    const spans = Buffer.concat([nest(0x12, ids), nest(0x12, Buffer.concat([ids, attribute]))]);
    const decoded = decodeTraces(nest(0x0a, nest(0x12, spans)), 'protobuf');
    expect(decoded.spans).toHaveLength(1);
    expect(decoded.rejected.message).toMatch(/spans\[1\]: attribute values nested deeper than 64$/);
  });
});

describe('a span larger than 10 MB', () => {
  it('is decoded whole, in both encodings, so that its call can be kept', () => {
    const request = requestJson([spanJson({ attributes: { text: 'x'.repeat(10_485_761) } }), spanJson()]);
    for (const decoded of [
      decodeTraces(jsonBody(request), 'json'),
      decodeTraces(encodeRequest(request), 'protobuf'),
    ]) {
      expect(decoded.spans).toHaveLength(2);
      expect(decoded.rejected.count).toBe(0);
      expect(decoded.isLarge).toBe(true);
    }
  });
});

/** A length-delimited field. */
function nest(tag: number, inner: Buffer): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from([tag]), varint(inner.length), inner]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}
