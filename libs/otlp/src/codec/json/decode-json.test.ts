import { AppError } from '@assay/errors';
import { jsonBody, requestJson, SPAN_ID, spanJson, TRACE_ID } from '../../../test/otlp-request.js';
import { decodeTraces } from '../decode-traces.js';

const decodeJson = (body: Buffer) => decodeTraces(body, 'json');

function decodeOne(fields: Record<string, unknown>) {
  const { spans, rejected } = decodeJson(jsonBody(requestJson([spanJson(fields)])));
  return { span: spans[0], rejected };
}

function valueOf(value: unknown) {
  const span = { ...spanJson(), attributes: [{ key: 'k', value }] };
  const attributes = decodeJson(jsonBody(requestJson([span]))).spans[0]?.attributes;
  return attributes?.has('k') ? attributes.get('k') : undefined;
}

function failureOf(body: unknown): AppError {
  try {
    decodeJson(typeof body === 'string' ? Buffer.from(body) : jsonBody(body as object));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}

describe('the structure of an OTLP/JSON request', () => {
  it.each(['resourceLogs', 'resource_logs', 'resourceMetrics', 'resource_metrics'])(
    'rejects a body with %s',
    (name) => {
      const { code, message } = failureOf({ [name]: [] });
      expect([code, message]).toEqual([
        'VALIDATION_ERROR',
        `this address accepts spans, not ${name.includes('ogs') ? 'resourceLogs' : 'resourceMetrics'}`,
      ]);
    },
  );

  it.each(['', ' \n', '{}', '{"resourceSpans":[]}', '{"resourceSpans":null}', '\ufeff{}'])(
    'takes %j as an empty request',
    (body) => {
      expect(decodeJson(Buffer.from(body))).toEqual({ spans: [], rejected: { count: 0, message: '' } });
    },
  );

  it.each([
    ['{', 'the body is not valid JSON'],
    ['[]', 'the body must be a JSON object'],
    ['null', 'the body must be a JSON object'],
    ['{"resourceSpans":{}}', 'resourceSpans must be an array'],
    ['{"resourceSpans":[5]}', 'resourceSpans[0] must be an object'],
    ['{"resourceSpans":[{"scopeSpans":5}]}', 'resourceSpans[0].scopeSpans must be an array'],
    [
      '{"resourceSpans":[{"scopeSpans":[{"spans":{}}]}]}',
      'resourceSpans[0].scopeSpans[0].spans must be an array',
    ],
    [
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":{}}]}]}]}',
      'resourceSpans[0].scopeSpans[0].spans[0].attributes must be an array',
    ],
    [
      '{"resourceSpans":[{"resource":{"attributes":"x"}}]}',
      'resourceSpans[0].resource.attributes must be an array',
    ],
  ])('refuses %s', (body, message) => {
    const error = failureOf(body);
    expect([error.code, error.message]).toEqual(['VALIDATION_ERROR', message]);
  });

  it('refuses more than 100,000 spans before reading them', () => {
    const error = failureOf({ resourceSpans: [{ scopeSpans: [{ spans: new Array(100_001).fill(0) }] }] });
    expect([error.code, error.message]).toEqual([
      'VALIDATION_ERROR',
      'a request may carry at most 100,000 spans',
    ]);
  });

  it('refuses a large resource that thousands of spans would repeat', () => {
    const spans = new Array(3000).fill(null).map(() => spanJson());
    expect(failureOf(requestJson(spans, { text: 'x'.repeat(100_000) })).code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('reads snake_case names and the names before 0.19', () => {
    const span = {
      trace_id: TRACE_ID,
      span_id: SPAN_ID,
      name: 'n',
      start_time_unix_nano: '1',
      parent_span_id: 'aaaaaaaaaaaaaaaa',
    };
    const snake = decodeJson(jsonBody({ resource_spans: [{ scope_spans: [{ spans: [span] }] }] })).spans[0];
    const old = decodeJson(
      jsonBody({
        resourceSpans: [
          { instrumentationLibrarySpans: [{ instrumentationLibrary: { name: 'lib' }, spans: [spanJson()] }] },
        ],
      }),
    ).spans[0];
    expect(snake).toMatchObject({
      traceId: TRACE_ID,
      spanId: SPAN_ID,
      parentSpanId: 'aaaaaaaaaaaaaaaa',
      start: { ms: 0, ns: 1 },
    });
    expect(old?.scope.name).toBe('lib');
  });
});

describe('ids of a span', () => {
  it('reads hex in any case and base64', () => {
    const upper = decodeOne({ traceId: TRACE_ID.toUpperCase(), spanId: SPAN_ID.toUpperCase() }).span;
    const base64 = decodeOne({
      traceId: Buffer.from(TRACE_ID, 'hex').toString('base64'),
      spanId: Buffer.from(SPAN_ID, 'hex').toString('base64'),
    }).span;
    for (const span of [upper, base64]) expect(span).toMatchObject({ traceId: TRACE_ID, spanId: SPAN_ID });
  });

  it.each([
    [{ spanId: 'eee19b7ec3c1b17' }, 'spanId must be 8 bytes (16 hex digits), not all zero'],
    [{ spanId: '0000000000000000' }, 'spanId must be 8 bytes (16 hex digits), not all zero'],
    [{ traceId: null }, 'traceId must be 16 bytes (32 hex digits), not all zero'],
    [{ startTimeUnixNano: 'yesterday' }, 'startTimeUnixNano must be nanoseconds since the Unix epoch'],
    [{ endTimeUnixNano: '-1' }, 'endTimeUnixNano must be nanoseconds since the Unix epoch'],
    [{ links: {} }, 'links must be an array'],
  ])('rejects the one span with %j', (fields, reason) => {
    const decoded = decodeJson(jsonBody(requestJson([spanJson(), spanJson(fields), spanJson()])));
    expect(decoded.spans).toHaveLength(2);
    expect(decoded.rejected).toEqual({
      count: 1,
      message: `1 span rejected: resourceSpans[0].scopeSpans[0].spans[1]: ${reason}`,
    });
  });

  it.each([undefined, null, '', '0000000000000000', SPAN_ID, TRACE_ID])(
    'takes the parent %j as "no parent"',
    (parentSpanId) => {
      expect(decodeOne({ parentSpanId }).span).toMatchObject({
        parentSpanId: undefined,
        malformedParentSpanId: undefined,
      });
    },
  );

  it('keeps the text of a malformed parent and takes the span as a root', () => {
    expect(decodeOne({ parentSpanId: 'Nobody' }).span).toMatchObject({
      parentSpanId: undefined,
      malformedParentSpanId: 'Nobody',
    });
  });
});

describe('enums, times and counts', () => {
  it.each([
    ['SPAN_KIND_CLIENT', 'CLIENT'],
    ['client', 'CLIENT'],
    [3, 'CLIENT'],
    ['3', 'CLIENT'],
    [99, 'UNSPECIFIED'],
    [null, 'UNSPECIFIED'],
  ])('reads the kind %j as %s', (kind, expected) => expect(decodeOne({ kind }).span?.kind).toBe(expected));

  it.each([['STATUS_CODE_ERROR'], ['ERROR'], [2], ['2']])('reads the status %j as an error', (code) => {
    expect(decodeOne({ status: { code, message: 'm' } }).span).toMatchObject({
      statusCode: 'ERROR',
      statusMessage: 'm',
    });
  });

  it.each([
    ['1700000000123456789', { ms: 1_700_000_000_123, ns: 456_789 }],
    [1_700_000_000_123_000_000, { ms: 1_700_000_000_123, ns: 0 }],
    [
      {
        low: Number(1_700_000_000_123_456_789n & 0xffff_ffffn) | 0,
        high: Number(1_700_000_000_123_456_789n >> 32n),
      },
      { ms: 1_700_000_000_123, ns: 456_789 },
    ],
    ['2023-11-14T22:13:20.123456789Z', { ms: 1_700_000_000_123, ns: 456_789 }],
    ['0', undefined],
    [0, undefined],
  ])('reads the time %j without rounding', (startTimeUnixNano, expected) => {
    expect(decodeOne({ startTimeUnixNano }).span?.start).toEqual(expected);
  });
});

describe('attribute values', () => {
  it.each([
    [{ stringValue: 'x' }, 'x'],
    [{ string_value: 'x' }, 'x'],
    [{ boolValue: 'true' }, true],
    [{ intValue: '42' }, 42],
    [{ intValue: 42 }, 42],
    [{ intValue: '9007199254740993' }, '9007199254740993'],
    [{ intValue: '-9223372036854775808' }, '-9223372036854775808'],
    [{ doubleValue: 0.5 }, 0.5],
    [{ doubleValue: 'NaN' }, 'NaN'],
    [{ doubleValue: '-Infinity' }, '-Infinity'],
    [{ arrayValue: {} }, []],
    [{ arrayValue: { values: [{ intValue: '1' }, {}, { doubleValue: null }] } }, [1, null, null]],
    [{ bytesValue: '_-8' }, '/+8='],
    [{}, null],
    [undefined, null],
    [{ doubleValue: null }, undefined],
    [{ stringValue: 'first', intValue: 5 }, 'first'],
    [{ stringValue: 'a\0b\ud800' }, 'a\ufffdb\ufffd'],
  ])('reads %j', (value, expected) => expect(valueOf(value)).toEqual(expected));

  it('keeps keys such as __proto__ as plain own keys, and the last of a repeated key', () => {
    const entries = ['__proto__', 'constructor', 'a', 'a'].map((key, index) => ({
      key,
      value: { intValue: index },
    }));
    const value = valueOf({ kvlistValue: { values: entries } }) as object;
    expect(Object.entries(value)).toEqual([
      ['__proto__', 0],
      ['constructor', 1],
      ['a', 3],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('takes 64 levels and rejects the span of a deeper value', () => {
    const nested = (levels: number) => {
      const value = '{"arrayValue":{"values":['.repeat(levels) + '{"intValue":1}' + ']}}'.repeat(levels);
      const body = JSON.stringify(
        requestJson([{ ...spanJson(), attributes: [{ key: 'k', value: 'HERE' }] }]),
      );
      return decodeJson(Buffer.from(body.replace('"HERE"', value)));
    };
    expect(nested(64).spans).toHaveLength(1);
    expect(nested(65).rejected.message).toMatch(/nested deeper than 64$/);
    expect(nested(5000).rejected.count).toBe(1);
  });

  it.each(['stringValue', 'intValue', 'boolValue', 'doubleValue', 'bytesValue'])(
    'rejects the span of a %s that is a deep structure',
    (name) => {
      const body = JSON.stringify(
        requestJson([{ ...spanJson(), attributes: [{ key: 'k', value: { [name]: 'HERE' } }] }]),
      );
      const decoded = decodeJson(
        Buffer.from(body.replace('"HERE"', '['.repeat(100_000) + ']'.repeat(100_000))),
      );
      expect(decoded.rejected.message).toMatch(/nested deeper than 64$/);
    },
  );
});
