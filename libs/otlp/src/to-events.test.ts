import { sessionIdOf, spanEventId, toWireEvent, traceSessionId, type JsonValue } from '@assay/domain';
import { AppError } from '@assay/errors';
import fc from 'fast-check';
import { decodeTraces } from './codec/decode-traces.js';
import { encodeRequest } from './codec/protobuf/encode-request.js';
import { CONVENTIONS } from './conventions/catalogue.js';
import { mapAttributes, mapOne, mapSpans, PROJECT } from '../test/map-one.js';
import { jsonBody, requestJson, SPAN_ID, spanJson, TRACE_ID, type SpanInput } from '../test/otlp-request.js';
import { toEvents } from './to-events.js';

const seed = Date.now() % 1_000_000_007;
process.stdout.write(`to-events.test.ts seed ${seed}\n`);

const CHILD = 'aaaaaaaaaaaaaaaa';
const GRANDCHILD = 'bbbbbbbbbbbbbbbb';
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const OTHER_UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const context = { projectId: PROJECT, receivedAt: 1_700_000_009_000 };

describe('a request', () => {
  it('without spans gives no events', () => {
    const none = {
      events: [],
      sessions: [],
      traceSessions: [],
      aliases: [],
      patches: [],
      rejected: { count: 0, message: '' },
    };
    expect(toEvents(decodeTraces(Buffer.from('{}'), 'json'), context)).toEqual(none);
  });

  it('in which every span is invalid is rejected', () => {
    const decoded = decodeTraces(jsonBody(requestJson([spanJson({ spanId: 'x' })])), 'json');
    expect(() => toEvents(decoded, context)).toThrow(AppError);
    expect(() => toEvents(decoded, context)).toThrow(
      /^no valid span: 1 span rejected: .*spanId must be 8 bytes/,
    );
  });

  it('stores its valid spans despite invalid ones', () => {
    const decoded = decodeTraces(
      jsonBody(
        requestJson([spanJson(), spanJson({ spanId: SPAN_ID.slice(1) }), spanJson({ spanId: CHILD })]),
      ),
      'json',
    );
    const { events, rejected } = toEvents(decoded, context);
    expect([events.length, rejected.count]).toEqual([2, 1]);
  });
});

describe('ids', () => {
  it('of an event come from project, trace and span, unless the span brings its own', () => {
    expect(mapOne({}).event_id).toBe(spanEventId(PROJECT, TRACE_ID, SPAN_ID));
    expect(mapAttributes({ honeyhive_event_id: UUID }).event_id).toBe(UUID);
  });

  it('of a child name the parent, whether or not it is in the request', () => {
    const child = { spanId: CHILD, parentSpanId: SPAN_ID };
    expect(mapOne(child).parent_id).toBe(spanEventId(PROJECT, TRACE_ID, SPAN_ID));
    expect(mapOne(child).metadata['parent_span_id']).toBe(SPAN_ID);
  });

  it('of a child use the id set by the parent and return an alias', () => {
    const { events, aliases } = mapSpans([
      { spanId: CHILD, parentSpanId: SPAN_ID },
      { attributes: { honeyhive_event_id: UUID } },
    ]);
    expect(events[0]?.parent_id).toBe(UUID);
    expect(aliases).toEqual([{ traceId: TRACE_ID, spanId: SPAN_ID, eventId: UUID }]);
  });

  it('of a root use its session, or the parent it names, as parent', () => {
    const root = mapOne({});
    expect(root.parent_id).toBe(root.session_id);
    expect(root.metadata).not.toHaveProperty('parent_span_id');
    expect(mapAttributes({ 'honeyhive.parent_id': UUID }).parent_id).toBe(UUID);
    const child = mapOne({
      spanId: CHILD,
      parentSpanId: SPAN_ID,
      attributes: { 'honeyhive.parent_id': UUID },
    });
    expect(child.parent_id).toBe(spanEventId(PROJECT, TRACE_ID, SPAN_ID));
  });

  it('of a span with a malformed parent equal those of a root, and the text is kept', () => {
    const event = mapOne({ parentSpanId: 'nobody' });
    expect(event.parent_id).toBe(event.session_id);
    expect(event.metadata['otel']).toMatchObject({ parent_span_id: 'nobody' });
  });
});

describe('sessions', () => {
  it('are the UUID that a span gives, in lower case', () => {
    expect(mapAttributes({ 'session.id': UUID.toUpperCase() })).toMatchObject({ session_id: UUID });
  });

  it.each([
    ['chat-42', 'chat-42'],
    [' "chat-42" ', 'chat-42'],
    [42, '42'],
  ])('are derived from any other text: %j', (value, key) => {
    const event = mapAttributes({ 'session.id': value });
    expect(event.session_id).toBe(sessionIdOf(PROJECT, key));
    expect(event.metadata['session_key']).toBe(key);
  });

  it.each(['', 'null', 'None', 'undefined', 'N/A'])(
    'are derived from the trace where a span has %j',
    (value) => {
      expect(mapAttributes({ 'session.id': value }).session_id).toBe(traceSessionId(PROJECT, TRACE_ID));
    },
  );

  it('use the highest-ranked name, and lower-ranked names remain in the metadata', () => {
    const event = mapAttributes({
      'gen_ai.conversation.id': 'c',
      'session.id': 's',
      honeyhive_session_id: UUID,
    });
    expect(event.session_id).toBe(UUID);
    expect(event.metadata).toMatchObject({ 'session.id': 's', conversation_id: 'c' });
  });

  it('are never an MCP transport session', () => {
    expect(mapAttributes({ 'mcp.session.id': 'abc' }).session_id).toBe(traceSessionId(PROJECT, TRACE_ID));
  });

  it('may be named by the resource', () => {
    const { events, sessions } = mapSpans([{}], {
      'session.id': UUID,
      'user.id': 'u1',
      'honeyhive.source': 'prod',
    });
    expect(events[0]).toMatchObject({ session_id: UUID, source: 'prod', user_properties: { user_id: 'u1' } });
    expect(sessions[0]).toMatchObject({ source: 'prod', user_properties: { user_id: 'u1' } });
  });

  it('pass from the nearest ancestor to its descendants, and from one span to the rest of the trace', () => {
    const spans: SpanInput[] = [
      { spanId: GRANDCHILD, parentSpanId: CHILD },
      { spanId: CHILD, parentSpanId: SPAN_ID, attributes: { 'session.id': UUID } },
      { attributes: {} },
      { spanId: 'cccccccccccccccc', parentSpanId: 'dddddddddddddddd' },
    ];
    const { events, traceSessions } = mapSpans(spans);
    expect(events.map((event) => event.session_id)).toEqual([UUID, UUID, UUID, UUID]);
    expect(traceSessions).toEqual([{ traceId: TRACE_ID, sessionId: UUID, explicit: true }]);
  });

  it('named by two spans of a trace remain separate', () => {
    const { events, sessions } = mapSpans([
      { attributes: { 'session.id': UUID } },
      { spanId: CHILD, parentSpanId: SPAN_ID, attributes: { 'session.id': OTHER_UUID } },
      { spanId: GRANDCHILD, parentSpanId: CHILD },
    ]);
    expect(events.map((event) => event.session_id)).toEqual([UUID, OTHER_UUID, OTHER_UUID]);
    expect(sessions.map((session) => session.event_id).sort()).toEqual([UUID, OTHER_UUID].sort());
  });

  it('known from earlier requests take precedence over the trace id', () => {
    const decoded = decodeTraces(jsonBody(requestJson([spanJson()])), 'json');
    const { events, traceSessions } = toEvents(decoded, {
      ...context,
      knownSession: (traceId) => (traceId === TRACE_ID ? UUID : undefined),
    });
    expect(events[0]?.session_id).toBe(UUID);
    expect(traceSessions).toEqual([{ traceId: TRACE_ID, sessionId: UUID, explicit: false }]);
  });

  it('tolerate spans that are each other’s parents', () => {
    const { events } = mapSpans([
      { spanId: CHILD, parentSpanId: GRANDCHILD },
      { spanId: GRANDCHILD, parentSpanId: CHILD },
    ]);
    expect(events.map((event) => event.session_id)).toEqual([
      traceSessionId(PROJECT, TRACE_ID),
      traceSessionId(PROJECT, TRACE_ID),
    ]);
  });
});

describe('a synthesised session event', () => {
  it('covers the time of its events and copies only name, source and user from them', () => {
    const { sessions } = mapSpans([
      {
        spanId: CHILD,
        parentSpanId: SPAN_ID,
        startTimeUnixNano: '1699999999000000000',
        attributes: { 'user.id': 'u1', honeyhive_metadata: '{"run_id":"r"}' },
      },
      {
        name: 'agent run',
        endTimeUnixNano: '1700000005000000000',
        attributes: { honeyhive_source: 'prod', 'input.value': 'secret' },
      },
    ]);
    expect(sessions).toMatchObject([
      {
        event_id: traceSessionId(PROJECT, TRACE_ID),
        parent_id: null,
        event_type: 'session',
        event_name: 'agent run',
        source: 'prod',
        start_time: 1_699_999_999_000,
        end_time: 1_700_000_005_000,
        duration: 6000,
        inputs: {},
        error: null,
        user_properties: { user_id: 'u1' },
        origin: 'synthesised',
      },
    ]);
    expect(sessions[0]?.metadata).toEqual({ otel: { synthesised: true }, run_id: 'r' });
  });

  it('keeps the text from which its id is derived', () => {
    const { sessions } = mapSpans([
      { attributes: { 'session.id': 'chat-1' } },
      { spanId: CHILD, parentSpanId: SPAN_ID },
    ]);
    expect(sessions.map(({ metadata }) => metadata['session_key'])).toEqual(['chat-1']);
    expect(mapSpans([{ attributes: { 'session.id': UUID } }]).sessions[0]?.metadata).not.toHaveProperty(
      'session_key',
    );
  });

  it('is one for two traces of one session', () => {
    const { sessions } = mapSpans([
      { attributes: { 'session.id': 'chat-1' } },
      { traceId: 'a'.repeat(32), attributes: { 'session.id': 'chat-1' } },
      { traceId: 'b'.repeat(32) },
    ]);
    expect(sessions.map((session) => session.event_id)).toEqual([
      sessionIdOf(PROJECT, 'chat-1'),
      traceSessionId(PROJECT, 'b'.repeat(32)),
    ]);
  });
});

describe('source', () => {
  it('is taken from the header if no span names one, and is unknown otherwise', () => {
    const decoded = decodeTraces(jsonBody(requestJson([spanJson()])), 'json');
    expect(toEvents(decoded, { ...context, sourceHeader: 'ci' }).events[0]?.source).toBe('ci');
    expect(toEvents(decoded, context).events[0]?.source).toBe('unknown');
  });

  it('is not taken from the service name', () => {
    expect(mapSpans([{ attributes: { source: 'x' } }], { 'service.name': 'shop' }).events[0]).toMatchObject({
      source: 'unknown',
      metadata: { source: 'x' },
    });
  });
});

describe('times', () => {
  it('of an event and of its synthesised session are returned with their microseconds', () => {
    const { events, sessions } = mapSpans([
      { startTimeUnixNano: '1700000000000100000', endTimeUnixNano: '1700000000512345700' },
    ]);
    for (const event of [...events, ...sessions]) {
      const { start_time: start, end_time: end, duration } = toWireEvent(event, { name: 'bot' });
      expect(start).toBeCloseTo(1_700_000_000_000.1, 3);
      expect(end).toBeCloseTo(1_700_000_000_512.3457, 3);
      expect(duration).toBeCloseTo(512.2457, 3);
    }
  });

  it('keep microseconds, and the duration is computed from nanoseconds', () => {
    const event = mapOne({
      startTimeUnixNano: '1700000000123456789',
      endTimeUnixNano: '1700000000123999999',
    });
    expect(event.start_time).toBeCloseTo(1_700_000_000_123.4568, 3);
    expect(event.duration).toBeCloseTo(0.54321, 6);
  });

  it('of a span that has not ended are open', () => {
    expect(mapOne({ endTimeUnixNano: '0' })).toMatchObject({
      end_time: null,
      duration: null,
      metadata: { otel: { unfinished: true } },
    });
  });

  it('of a span that ends before it starts are kept', () => {
    const event = mapOne({ endTimeUnixNano: '1699999999000000000' });
    expect(event).toMatchObject({ start_time: 1_700_000_000_000, end_time: 1_699_999_999_000, duration: 0 });
  });

  it('of a span without a start come from its end, its first event, or the receipt', () => {
    const start = (fields: SpanInput) => mapOne({ startTimeUnixNano: undefined, ...fields });
    expect(start({})).toMatchObject({
      start_time: 1_700_000_001_000,
      duration: 0,
      metadata: { otel: { start_time_estimated: true } },
    });
    const events = [
      { name: 'b', timeUnixNano: '3000000' },
      { name: 'a', timeUnixNano: '2000000' },
    ];
    expect(start({ endTimeUnixNano: undefined, events }).start_time).toBe(2);
    expect(start({ endTimeUnixNano: undefined }).start_time).toBe(1);
  });
});

describe('errors', () => {
  const exception = {
    name: 'exception',
    attributes: {
      'exception.type': 'KeyError',
      'exception.message': 'no key',
      'exception.stacktrace': 'at x',
    },
  };
  it.each<[string, SpanInput, string | null]>([
    ['the status message', { status: { code: 2, message: 'timeout' } }, 'timeout'],
    [
      'the exception of a failed span without a message',
      { status: { code: 2 }, events: [exception] },
      'no key',
    ],
    [
      'the latest of two exceptions',
      {
        status: { code: 2 },
        events: [
          { ...exception, timeUnixNano: '9' },
          { name: 'exception', timeUnixNano: '5', attributes: { 'exception.message': 'first' } },
        ],
      },
      'no key',
    ],
    ['nothing when the status is OK', { status: { code: 1 }, events: [exception] }, null],
    ['nothing when the exception was handled', { events: [exception] }, null],
    ['error.type when the status is unset', { attributes: { 'error.type': 'rate_limit' } }, 'rate_limit'],
    ['error.message before error.type', { attributes: { 'error.type': 't', 'error.message': 'm' } }, 'm'],
    ['a word when nothing is known', { status: { code: 2 } }, 'error'],
    [
      'the last line of a traceback',
      {
        status: {
          code: 2,
          message: "ValueError('x')\n\nTraceback (most recent call last):\n  File\nValueError: x\n",
        },
      },
      'ValueError: x',
    ],
    [
      'what the user said, whatever the status',
      { status: { code: 1 }, attributes: { honeyhive_error: 'mine' } },
      'mine',
    ],
  ])('are %s', (_, input, error) => expect(mapOne(input).error).toBe(error));

  it('keep the kind and the stack in the metadata, and handled exceptions as events', () => {
    expect(mapOne({ status: { code: 2 }, events: [exception] }).metadata).toMatchObject({
      error_type: 'KeyError',
      error_stack: 'at x',
    });
    expect(mapOne({ events: [exception] }).metadata['otel']).toMatchObject({
      events: [{ name: 'exception' }],
    });
  });
});

describe('the type of a span', () => {
  it.each<[SpanInput, string]>([
    [{ attributes: { 'http.method': 'GET' }, kind: 2 }, 'chain'],
    [{ attributes: { 'db.system': 'x' }, kind: 3 }, 'tool'],
    [{ kind: 4 }, 'tool'],
    [{ attributes: { 'gen_ai.tool.name': 'f' } }, 'tool'],
    [{ attributes: { 'gen_ai.request.model': 'm' } }, 'model'],
    [{ attributes: { 'gen_ai.usage.foo': 3 } }, 'chain'],
  ])('%j is a %s', (input, type) => expect(mapOne(input).event_type).toBe(type));
});

describe('tokens', () => {
  const usage = (facts: Record<string, number | string>) =>
    mapAttributes({
      'gen_ai.operation.name': 'chat',
      ...Object.fromEntries(Object.entries(facts).map(([key, value]) => [`gen_ai.usage.${key}`, value])),
    }).metadata;

  it('are parsed from strings and whole doubles; other values remain unchanged', () => {
    expect(usage({ input_tokens: '20', output_tokens: 5 })).toMatchObject({
      prompt_tokens: 20,
      completion_tokens: 5,
      total_tokens: 25,
    });
    const bad = usage({ input_tokens: 'NaN', output_tokens: -1, foo: 3 });
    expect(bad).toMatchObject({
      'gen_ai.usage.input_tokens': 'NaN',
      'gen_ai.usage.output_tokens': -1,
      'gen_ai.usage.foo': 3,
    });
    expect(bad).not.toHaveProperty('prompt_tokens');
  });

  it.each([
    [
      'by the total',
      { input_tokens: 100, output_tokens: 5, 'cache_read.input_tokens': 80, total_tokens: 105 },
      100,
      105,
    ],
    [
      'by the total',
      { input_tokens: 100, output_tokens: 5, 'cache_read.input_tokens': 80, total_tokens: 185 },
      180,
      185,
    ],
    [
      'because the cache is larger',
      { input_tokens: 3, output_tokens: 5, 'cache_read.input_tokens': 80 },
      83,
      88,
    ],
    [
      'where it could be either',
      { input_tokens: 100, output_tokens: 5, 'cache_read.input_tokens': 80 },
      100,
      105,
    ],
  ])('include cached ones: decided %s', (_, facts, prompt, total) => {
    expect(usage(facts)).toMatchObject({
      prompt_tokens: prompt,
      total_tokens: total,
      cache_read_input_tokens: 80,
    });
  });
});

describe('unmapped attributes', () => {
  it('are stored in the metadata under their key with their type', () => {
    const attributes = {
      'a.int': 1,
      'a.bool': false,
      'a.list': ['x'],
      'a.double': 0.5,
      'a.object': { b: [1] },
    };
    expect(mapAttributes(attributes).metadata).toMatchObject(attributes);
  });

  it('with the keys of prototypes are data', () => {
    const { metadata } = mapAttributes({ ['__proto__']: 1, constructor: 'c', toString: 't' });
    expect(Object.entries(metadata)).toEqual(
      expect.arrayContaining([
        ['__proto__', 1],
        ['constructor', 'c'],
        ['toString', 't'],
      ]),
    );
  });

  it('rank below protocol fields of the same name and are stored beside them', () => {
    const { metadata } = mapAttributes({
      trace_id: 'mine',
      otel: 'mine',
      'honeyhive_metadata.span_id': 'mine',
    });
    expect(metadata).toMatchObject({ trace_id: TRACE_ID, span_id: SPAN_ID, otel: { kind: 'INTERNAL' } });
    expect(metadata).toMatchObject({
      'attributes.trace_id': 'mine',
      'attributes.otel': 'mine',
      'attributes.span_id': 'mine',
    });
  });
});

describe('a span that only carries a evaluation', () => {
  const evaluation = { 'honeyhive_metrics.relevance': 0.9 };
  const link = { traceId: TRACE_ID, spanId: CHILD };

  it('changes the linked event and is stored as a tool event', () => {
    const { events, patches } = mapSpans([{ attributes: evaluation, links: [link] }]);
    expect(events[0]).toMatchObject({ event_type: 'tool', metrics: { relevance: 0.9 } });
    expect(patches).toEqual([
      {
        eventId: spanEventId(PROJECT, TRACE_ID, CHILD),
        source: `${TRACE_ID}/${SPAN_ID}`,
        patch: { metrics: { relevance: 0.9 } },
      },
    ]);
  });

  it('changes nothing with several links, an invalid link, or other content', () => {
    expect(mapSpans([{ attributes: evaluation, links: [link, link] }]).patches).toEqual([]);
    expect(mapSpans([{ attributes: evaluation, links: [{ traceId: 'x', spanId: 'y' }] }]).patches).toEqual(
      [],
    );
    expect(
      mapSpans([{ attributes: { ...evaluation, 'honeyhive_inputs.q': 1 }, links: [link] }]).patches,
    ).toEqual([]);
  });
});

describe('protocol fields', () => {
  it('are all stored', () => {
    const { metadata } =
      mapSpans(
        [
          {
            traceState: 'a=b',
            flags: 257,
            links: [{ traceId: TRACE_ID, spanId: CHILD }],
            events: [{ name: 'retry', timeUnixNano: '1500000', attributes: { n: 1 } }],
            droppedAttributesCount: 3,
            status: { code: 1 },
          },
        ],
        { 'service.name': 'shop' },
      ).events[0] ?? mapOne({});
    expect(metadata['otel']).toEqual({
      trace_id: TRACE_ID,
      span_id: SPAN_ID,
      trace_state: 'a=b',
      flags: 257,
      kind: 'INTERNAL',
      status: { code: 'OK' },
      scope: { name: 'tests' },
      resource: { 'service.name': 'shop' },
      links: [{ trace_id: TRACE_ID, span_id: CHILD }],
      events: [{ name: 'retry', time: 1.5, attributes: { n: 1 } }],
      dropped_attributes_count: 3,
    });
  });
});

const families = CONVENTIONS.flatMap((convention) => convention.rules.map((rule) => rule.key));
const keys = fc.oneof(
  fc
    .constantFrom(...families)
    .chain((key) => (key.endsWith('*') ? tail().map((rest) => key.slice(0, -1) + rest) : fc.constant(key))),
  fc.string(),
);

function tail() {
  const segment = fc.constantFrom(
    '0',
    '1',
    '2',
    '12',
    '20000',
    'message',
    'content',
    'contents',
    'role',
    'tool_calls',
    'tool_call',
    'document',
    '__proto__',
    'a[3]',
  );
  return fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('.'));
}

const values = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    'LLM',
    'chat',
    'execute_tool',
    'invoke_agent',
    'NaN',
    '{"messages":[{"role":"user","content":"x"}]}',
    '[{"role":1}]',
    '{"parts":[null]}',
  ),
);
const anySpans = fc.array(
  fc.record({
    spanId: fc.constantFrom(SPAN_ID, CHILD, GRANDCHILD),
    parentSpanId: fc.constantFrom('', SPAN_ID, CHILD),
    attributes: fc.dictionary(keys, values, { maxKeys: 12 }),
  }),
  { minLength: 1, maxLength: 5 },
);

describe('any attributes', () => {
  it('give complete events, equal for JSON and protobuf and for every delivery', () => {
    fc.assert(
      fc.property(anySpans, (inputs) => {
        const request = requestJson(inputs.map((input) => spanJson(input)));
        const mapped = toEvents(decodeTraces(jsonBody(request), 'json'), context);
        expect(toEvents(decodeTraces(jsonBody(request), 'json'), context)).toEqual(mapped);
        expect(toEvents(decodeTraces(encodeRequest(request), 'protobuf'), context)).toEqual(mapped);
        expect(mapped.events).toHaveLength(new Set(inputs.map((input) => input.spanId)).size);
        expect(JSON.parse(JSON.stringify(mapped))).toEqual(mapped);
      }),
      { seed, numRuns: 400 },
    );
  });

  it('give the same events for any order of attributes and spans', () => {
    const unique = anySpans.map((inputs) => [
      ...new Map(inputs.map((input) => [input.spanId, input])).values(),
    ]);
    fc.assert(
      fc.property(unique, (inputs) => {
        const turned = [...inputs].reverse().map((input) => ({
          ...input,
          attributes: Object.fromEntries(Object.entries(input.attributes).reverse()),
        }));
        const there = mapSpans(inputs);
        const back = mapSpans(turned);
        const byId = (events: typeof there.events) =>
          [...events].sort((a, b) => (a.event_id < b.event_id ? -1 : 1));
        expect(byId(back.events)).toEqual(byId(there.events));
        expect(byId(back.sessions)).toEqual(byId(there.sessions));
      }),
      { seed, numRuns: 400 },
    );
  });

  it('never make a reader throw', () => {
    const readers = CONVENTIONS.flatMap((convention) =>
      convention.rules.flatMap((rule) => [rule, ...(rule.also ?? [])]),
    ).flatMap((rule) => rule.read ?? []);
    fc.assert(
      fc.property(values, (value) => {
        expect(readers.filter((read) => fails(() => read(value as JsonValue)))).toEqual([]);
      }),
      { seed, numRuns: 300 },
    );
  });
});

function fails(act: () => unknown): boolean {
  try {
    act();
    return false;
  } catch {
    return true;
  }
}
