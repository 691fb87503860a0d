import { mergeCreates, type Event } from '@assay/domain';
import { runSync } from '@assay/runtime';
import { JsonLogsSerializer, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';
import fc from 'fast-check';
import { CONVERSATION, encodedLogs, logRecord } from '../../test/log-records.js';
import { mapOne, PROJECT } from '../../test/map-one.js';
import type { SpanInput } from '../../test/otlp-request.js';
import { encodeSignalResponse } from '../codec/encode-response.js';
import { decodeLogs } from './decode-logs.js';
import { mapLogsSteps } from './map-logs.js';

function mapLogs(body: Buffer, encoding: 'json' | 'protobuf') {
  return runSync(mapLogsSteps(decodeLogs(body, encoding), { projectId: PROJECT, receivedAt: 1 }));
}

const history = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'why?' },
];

describe.each(['json', 'protobuf'] as const)('logs in %s', (encoding) => {
  const mapped = mapLogs(encodedLogs(CONVERSATION)[encoding], encoding);

  it('of GenAI become inputs and outputs of the event of their span', () => {
    expect(mapped.events).toMatchObject([
      {
        event_id: mapOne({}).event_id,
        event_type: 'model',
        inputs: { chat_history: history },
        outputs: { role: 'assistant', content: 'so', finish_reason: 'stop' },
        config: { provider: 'openai' },
        origin: 'synthesised',
      },
    ]);
    expect(mapped.sessions).toEqual([]);
  });

  it('of anything else, and of no span, are counted in the response', () => {
    const serializer = encoding === 'json' ? JsonLogsSerializer : ProtobufLogsSerializer;
    const { body, contentType } = encodeSignalResponse('logs', mapped.rejected, encoding);
    expect(contentType).toBe(encoding === 'json' ? 'application/json' : 'application/x-protobuf');
    const { partialSuccess } = serializer.deserializeResponse(body);
    expect(Number(partialSuccess?.rejectedLogRecords)).toBe(2);
    expect(partialSuccess?.errorMessage).toBe(
      'only gen_ai.* and exception log events with a trace id and a span id are stored',
    );
  });

  it('fill what the span does not have, in either order of arrival', () => {
    const [log] = mapped.events;
    if (log === undefined) throw new Error('the logs gave no event');
    const span = mapOne({
      name: 'chat gpt-4o',
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', 'user.id': 'u' },
    });
    for (const event of [mergeCreates(log, span), mergeCreates(span, log)])
      expect(event).toMatchObject({
        event_name: 'chat gpt-4o',
        start_time: span.start_time,
        end_time: span.end_time,
        inputs: { chat_history: history },
        outputs: { content: 'so' },
        config: { model: 'gpt-4o', provider: 'openai' },
        user_properties: { user_id: 'u' },
        origin: 'sent',
      });
  });

  it('with the details of an operation are read like its span event', () => {
    const details = logRecord({
      eventName: 'gen_ai.client.inference.operation.details',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }],
        'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'yo' }] }],
      },
    });
    expect(mapLogs(encodedLogs([details])[encoding], encoding).events).toMatchObject([
      { inputs: { chat_history: [{ role: 'user', content: 'hi' }] }, outputs: { content: 'yo' } },
    ]);
  });

  it('that name an event, a session or a type of their own belong to the event of their span, and keep what they name', () => {
    const named = {
      honeyhive_event_id: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
      'session.id': '1b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
      honeyhive_source: 'worker',
    };
    for (const attributes of [named, { ...named, honeyhive_event_type: 'session' }]) {
      const record = logRecord({ eventName: 'gen_ai.choice', body: { id: 'm1', content: 'so' }, attributes });
      const { events } = mapLogs(encodedLogs([record])[encoding], encoding);
      expect(events).toMatchObject([
        {
          ...{ event_id: mapOne({}).event_id, metadata: named },
          outputs: { content: 'so', details: [{ id: 'm1' }] },
        },
      ]);
    }
  });

  it('that are empty give no events', () => {
    expect(mapLogs(Buffer.alloc(0), encoding)).toMatchObject({ events: [], rejected: { count: 0 } });
  });
});

describe('log events of one span in several requests', () => {
  const message = (text: string, nanos: number) =>
    logRecord({ eventName: 'gen_ai.user.message', body: { content: text }, hrTime: [1_700_000_000, nanos] });
  const choice = (text: string, index: number, nanos: number) =>
    logRecord({
      eventName: 'gen_ai.choice',
      body: { index, finish_reason: 'stop', message: { role: 'assistant', content: text } },
      attributes: { 'gen_ai.request.model': `model-${index}`, note: text },
      hrTime: [1_700_000_000, nanos],
    });
  const records = [
    message('a', 1),
    message('b', 2),
    message('c', 3),
    choice('one', 0, 9),
    choice('two', 1, 8),
    logRecord({
      eventName: 'gen_ai.client.operation.exception',
      attributes: { 'exception.type': 'TypeOfLog', 'exception.message': 'said by the log' },
      hrTime: [1_700_000_000, 20],
    }),
  ];
  const only = (...indexes: number[]): Event => {
    const chosen = records.filter((_, index) => indexes.includes(index));
    return mapLogs(encodedLogs(chosen).json, 'json').events[0] as Event;
  };
  const whole = only(0, 1, 2, 3, 4, 5);
  const span = (attributes = {}) => mapOne({ name: 'chat', attributes });

  it('complete the inputs and the outputs', () => {
    const event = mergeCreates(only(2, 4), only(0, 1, 3, 5));
    expect(withoutOrders(event)).toEqual(withoutOrders(whole));
    expect(event).toMatchObject({
      inputs: { chat_history: ['a', 'b', 'c'].map((content) => ({ role: 'user', content })) },
      outputs: { content: 'one', choices: [{ content: 'one' }, { content: 'two' }] },
      config: { model: 'model-0' },
      metadata: { finish_reasons: ['stop', 'stop'] },
      end_time: null,
    });
  });

  it('of the same time keep the order of their request', () => {
    const same = ['z', 'y', 'x', 'w'].map((text) => message(text, 5));
    const [event] = mapLogs(encodedLogs(same).json, 'json').events;
    expect(event).toMatchObject({
      inputs: { chat_history: ['z', 'y', 'x', 'w'].map((content) => ({ content })) },
    });
  });

  it('give the same event in every order and with repetition, and lose nothing to the span', () => {
    const messages = '[{"role":"user","parts":[{"type":"text","content":"own"}]}]';
    const own = span({ 'gen_ai.input.messages': messages, 'gen_ai.request.model': 'gpt' });
    const failed = mapOne({ name: 'chat', status: { code: 2 }, attributes: { 'error.type': 'TypeOfSpan' } });
    const spans = [undefined, span(), own, failed];
    fc.assert(
      fc.property(fc.constantFrom(...spans), deliveriesOf(records.length), (ofSpan, { sent, received }) => {
        const eventsOf = (deliveries: Delivery[]) =>
          deliveries.flatMap((one) => (one === 'span' ? (ofSpan ?? []) : only(...one)));
        const event = mergeAll(eventsOf(received));
        expect(event).toEqual(mergeAll(eventsOf(sent)));
        expect(withoutOrders(event)).toEqual(withoutOrders(mergeAll([whole, ...(ofSpan ? [ofSpan] : [])])));
        const text = JSON.stringify(event);
        for (const value of [
          'a',
          'b',
          'c',
          'one',
          'two',
          'model-0',
          'model-1',
          'said by the log',
          'TypeOfLog',
        ])
          expect(text).toContain(JSON.stringify(value));
      }),
    );
  });

  function mergeAll([first, ...others]: Event[]): Event {
    return others.reduce((merged, event) => mergeCreates(merged, event), first as Event);
  }

  /** The event without the positions of messages in their requests. */
  function withoutOrders({ metadata, ...event }: Event) {
    const text = JSON.stringify(metadata).replace(/\d{30,}-/g, '');
    return { ...event, metadata: JSON.parse(text) as unknown };
  }

  type Delivery = number[] | 'span';

  /** Requests with all records and the span, and the same requests in any order, some of them repeated. */
  function deliveriesOf(count: number): fc.Arbitrary<{ sent: Delivery[]; received: Delivery[] }> {
    const indexes = Array.from({ length: count }, (_, index) => index);
    return fc.array(fc.nat(2), { minLength: count, maxLength: count }).chain((requests) => {
      const split = [0, 1, 2].map((request) => indexes.filter((index) => requests[index] === request));
      const sent: Delivery[] = [...split.filter(({ length }) => length > 0), 'span'];
      return fc
        .tuple(fc.shuffledSubarray(sent), fc.shuffledSubarray(sent, { minLength: sent.length }))
        .map(([some, all]) => ({ sent, received: [...some, ...all] }));
    });
  }
});

describe.each([
  ['exception', 'json'],
  ['exception', 'protobuf'],
  ['gen_ai.client.operation.exception', 'json'],
  ['gen_ai.client.operation.exception', 'protobuf'],
  ['gen_ai.execute_tool.exception', 'json'],
  ['', 'json'],
  ['', 'protobuf'],
] as const)('a log event %s in %s', (eventName, encoding) => {
  const trace = 'Traceback (most recent call last):\n  File "a.py"\nRateLimitError: 429: slow down';
  const attributes = {
    'exception.type': 'openai.RateLimitError',
    'exception.message': '429: slow down',
    'exception.stacktrace': trace,
  };
  const body = encodedLogs([logRecord({ eventName, attributes })])[encoding];
  const log = mapLogs(body, encoding).events[0] as Event;
  const inBothOrders = (span: Event) => [mergeCreates(log, span), mergeCreates(span, log)];
  const spanWith = (fields: SpanInput) => mapOne({ name: 'chat', ...fields });

  it('is the error, its type and its stack of the event, also before its span arrives', () => {
    expect(log).toMatchObject({
      error: '429: slow down',
      metadata: { error_type: 'openai.RateLimitError', error_stack: trace },
    });
    expect(log.metadata).not.toHaveProperty('log_events');
  });

  it('says more than a span that names only the type of its error', () => {
    const span = spanWith({ status: { code: 2 }, attributes: { 'error.type': 'RateLimitError' } });
    for (const event of inBothOrders(span))
      expect(event).toMatchObject({
        error: '429: slow down',
        metadata: { error_type: 'RateLimitError', error_stack: trace },
      });
  });

  it('does not replace what a span says of its failure, and is no failure of a span without one', () => {
    for (const event of inBothOrders(spanWith({ status: { code: 2, message: 'quota' } })))
      expect(event.error).toBe('quota');
    for (const event of inBothOrders(spanWith({ status: { code: 1 } }))) expect(event.error).toBeNull();
  });
});

describe('an exception of a logger', () => {
  const attributes = { 'exception.type': 'TimeoutError', 'exception.message': 'no answer' };
  const failed = mapOne({ name: 'chat', status: { code: 2 } });
  const merged = (record: Parameters<typeof logRecord>[0]) => {
    const log = mapLogs(encodedLogs([logRecord(record)]).json, 'json').events[0] as Event;
    return [mergeCreates(log, failed), mergeCreates(failed, log)];
  };

  it.each<[string, Parameters<typeof logRecord>[0]]>([
    ['without a name', { attributes, body: 'call failed' }],
    ['with a name of its own', { eventName: 'order.failed', attributes, body: 'call failed' }],
    ['with its facts as the body', { eventName: 'exception', body: attributes }],
  ])('%s is the error of its span, in both orders of arrival', (_, record) => {
    for (const event of merged(record)) {
      expect(event).toMatchObject({ error: 'no answer', metadata: { error_type: 'TimeoutError' } });
      const kept = JSON.stringify(event.metadata['log_events'] ?? []);
      expect(kept.includes('call failed')).toBe(record.body === 'call failed');
    }
  });

  it('of a tool is no call of a model before its span arrives', () => {
    const record = logRecord({ eventName: 'gen_ai.execute_tool.exception', attributes });
    expect(mapLogs(encodedLogs([record]).json, 'json').events[0]?.event_type).toBe('chain');
  });
});

describe('a body that is not logs', () => {
  it.each([
    ['[]', 'the body must be a JSON object'],
    ['{', 'the body is not valid JSON'],
    ['{"resourceSpans":[]}', 'this address accepts logs, not resourceSpans'],
    ['{"resourceLogs":{}}', 'resourceLogs must be an array'],
  ])('%s is rejected', (body, message) => {
    expect(() => decodeLogs(Buffer.from(body), 'json')).toThrow(message);
  });

  it('is rejected when protobuf is truncated', () => {
    expect(() => decodeLogs(Buffer.from([10, 200]), 'protobuf')).toThrow('truncated or malformed protobuf');
  });
});
