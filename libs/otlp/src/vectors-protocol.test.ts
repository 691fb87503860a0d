import { isUuid, sessionIdOf, traceSessionId } from '@assay/domain';
import { validationError } from '@assay/errors';
import { encodeStatus, encodeTracesResponse } from './codec/encode-response.js';
import { decodeTraces } from './codec/decode-traces.js';
import { encodeRequest } from './codec/protobuf/encode-request.js';
import { PROJECT } from '../test/map-one.js';
import { jsonBody, requestJson, SPAN_ID as A, spanJson, TRACE_ID } from '../test/otlp-request.js';
import { below, mapBothWays, table, type Vector } from '../test/vectors.js';
import { toEvents } from './to-events.js';

const B = 'aaaaaaaaaaaaaaaa';
const C = 'bbbbbbbbbbbbbbbb';
const D = 'cccccccccccccccc';
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const context = { projectId: PROJECT, receivedAt: 1 };

const vectors: Vector[] = [
  [
    'V38 errors',
    [
      { status: { code: 2, message: 'timeout' } },
      {
        spanId: B,
        status: { code: 2 },
        events: [{ name: 'exception', attributes: { 'exception.message': 'no key' } }],
      },
      {
        spanId: C,
        status: { code: 1 },
        events: [{ name: 'exception', attributes: { 'exception.message': 'no key' } }],
      },
      { spanId: D, events: [{ name: 'exception', attributes: { 'exception.message': 'no key' } }] },
      { spanId: '1111111111111111', attributes: { 'error.type': 'rate_limit' } },
    ],
    ['timeout', 'no key', null, null, 'rate_limit'].map((error) => ({ error })),
  ],
  [
    'V42 a child names the id that its parent brings',
    [{ spanId: B, parentSpanId: A }, { attributes: { honeyhive_event_id: UUID } }],
    [{ parent_id: UUID }, { event_id: UUID }],
  ],
  [
    'V44 times to the microsecond, the duration from nanoseconds',
    [{ startTimeUnixNano: '1700000000123456789', endTimeUnixNano: '1700000000123999999' }],
    [
      {
        start_time: expect.closeTo(1_700_000_000_123.4568, 3) as number,
        end_time: expect.closeTo(1_700_000_000_124, 3) as number,
        duration: expect.closeTo(0.54321, 6) as number,
      },
    ],
  ],
  [
    'V48 evaluations as span events',
    [
      {
        attributes: { 'gen_ai.operation.name': 'chat' },
        events: [
          {
            name: 'gen_ai.evaluation.result',
            attributes: { 'gen_ai.evaluation.name': 'relevance', 'gen_ai.evaluation.score.value': 0.9 },
          },
          {
            name: 'gen_ai.evaluation.result',
            attributes: { 'gen_ai.evaluation.name': 'toxicity', 'gen_ai.evaluation.score.label': 'none' },
          },
        ],
      },
    ],
    [{ event_type: 'model', metrics: { relevance: 0.9, toxicity: 'none' } }],
  ],
  [
    'V50 spans of other libraries',
    [
      {
        name: 'GET /',
        kind: 2,
        attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
      },
      { ...below(A, B, 'SELECT', { 'db.system': 'postgresql' }), kind: 3 },
    ],
    [
      { event_type: 'chain', metadata: { 'http.request.method': 'GET', 'http.response.status_code': 200 } },
      { event_type: 'tool', metadata: { 'db.system': 'postgresql' } },
    ],
  ],
];

describe('spans of any sender give the same in both encodings and whenever they are sent', () => {
  it.each(table(vectors))('$name', ({ spans, events, scope }) => {
    expect(mapBothWays(spans, scope).events).toMatchObject(events);
  });

  it('V26 names for numbers, no parent as null, times as numbers', () => {
    const loose = spanJson({
      kind: 'SPAN_KIND_CLIENT',
      parentSpanId: null,
      startTimeUnixNano: 1.7e18,
      status: { code: 'STATUS_CODE_OK' },
    });
    const strict = spanJson({ kind: 3, parentSpanId: '', status: { code: 1 } });
    const events = [loose, strict].map(
      (span) => toEvents(decodeTraces(jsonBody(requestJson([span])), 'json'), context).events,
    );
    expect(events[0]).toEqual(events[1]);
  });

  it('V39 one session for two traces that name it, another for a trace that names none', () => {
    const { events, sessions } = mapBothWays([
      { attributes: { 'session.id': 'chat-1' } },
      { traceId: 'a'.repeat(32), attributes: { 'session.id': 'chat-1' } },
      { traceId: 'b'.repeat(32) },
    ]);
    expect(events.map((event) => event.session_id)).toEqual([
      sessionIdOf(PROJECT, 'chat-1'),
      sessionIdOf(PROJECT, 'chat-1'),
      traceSessionId(PROJECT, 'b'.repeat(32)),
    ]);
    expect(sessions).toHaveLength(2);
    expect(events.every((event) => isUuid(event.session_id))).toBe(true);
  });

  it('V40 a session named only by the root in a later request is explicit', () => {
    expect(mapBothWays([{ spanId: B, parentSpanId: A }]).traceSessions).toMatchObject([{ explicit: false }]);
    expect(mapBothWays([{ attributes: { 'session.id': UUID } }]).traceSessions).toMatchObject([
      { sessionId: UUID, explicit: true },
    ]);
  });

  it('V41 every part of a trace makes the same session', () => {
    const parts = [B, C, D].map((spanId) =>
      mapBothWays([{ spanId, parentSpanId: A }]).sessions.map((session) => session.event_id),
    );
    expect(new Set(parts.flat())).toEqual(new Set([traceSessionId(PROJECT, TRACE_ID)]));
  });

  it('V43 ids in capitals or base64 are the same ids', () => {
    const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
    const plain = toEvents(decodeTraces(jsonBody(requestJson([spanJson()])), 'json'), context);
    for (const spell of [(hex: string) => hex.toUpperCase(), base64]) {
      const other = requestJson([spanJson({ traceId: spell(TRACE_ID), spanId: spell(A) })]);
      expect(toEvents(decodeTraces(jsonBody(other), 'json'), context)).toEqual(plain);
    }
  });

  it('V45 every kind of value', () => {
    const values = {
      text: { stringValue: 'x' },
      flag: { boolValue: true },
      count: { intValue: '7' },
      large: { intValue: '9007199254740993' },
      number: { doubleValue: 0.5 },
      notANumber: { doubleValue: 'NaN' },
      bytes: { bytesValue: 'AQID' },
      none: {},
      list: { arrayValue: {} },
      nested: {
        kvlistValue: {
          values: [
            { key: 'a', value: { kvlistValue: { values: [{ key: 'b', value: { intValue: '1' } }] } } },
          ],
        },
      },
    };
    const attributes = Object.entries(values).map(([key, value]) => ({ key, value }));
    const request = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...spanJson(), attributes }] }] }] };
    const results = [
      decodeTraces(jsonBody(request), 'json'),
      decodeTraces(encodeRequest(request), 'protobuf'),
    ];
    for (const decoded of results) {
      expect(toEvents(decoded, context).events[0]?.metadata).toMatchObject({
        text: 'x',
        flag: true,
        count: 7,
        large: '9007199254740993',
        number: 0.5,
        notANumber: 'NaN',
        bytes: 'AQID',
        none: null,
        list: [],
        nested: { a: { b: 1 } },
      });
    }
  });

  it('V46 one invalid span of three is counted in the answer', () => {
    const spans = [spanJson(), spanJson({ spanId: A.slice(1) }), spanJson({ spanId: B })];
    const result = toEvents(decodeTraces(jsonBody(requestJson(spans)), 'json'), context);
    expect(result.events).toHaveLength(2);
    expect(JSON.parse(encodeTracesResponse(result, 'json').body.toString())).toMatchObject({
      partialSuccess: { rejectedSpans: '1' },
    });
  });

  it('V47 an empty request gives an empty response, and an error is a Status in the encoding of the request', () => {
    for (const [body, encoding] of [
      [Buffer.from('{}'), 'json'],
      [Buffer.alloc(0), 'protobuf'],
    ] as const) {
      expect(toEvents(decodeTraces(body, encoding), context).events).toEqual([]);
    }
    expect(JSON.parse(encodeStatus(validationError('bad'), 'r-1', 'json').body.toString())).toMatchObject({
      code: 3,
      message: 'bad',
    });
  });
});
