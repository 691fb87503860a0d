import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { encodeMessage, encodeRequest } from '@assay/otlp';
import { waitFor } from '@assay/testing';
import { freePort } from '../harness/stack/free-port.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { grpcTests } from './otlp-grpc.js';

const PROTOBUF = { 'content-type': 'application/x-protobuf' };

interface Ids {
  readonly traceId: string;
  readonly spanId: string;
}

const newIds = (): Ids => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
});

const value = (text: string) => ({ value: { stringValue: text } });
const body = (content: object) => ({ body: { stringValue: JSON.stringify(content) } });

/** The messages of a call as log events, in protobuf. */
function logs({ traceId, spanId }: Ids, question = 'why?', nanos = 0): Buffer {
  const ids = { traceId: Buffer.from(traceId, 'hex'), spanId: Buffer.from(spanId, 'hex') };
  const record = (eventName: string, content: object) => ({
    ...ids,
    eventName,
    timeUnixNano: String(1_790_000_000_000_000_000n + BigInt(nanos)),
    body: {
      kvlistValue: {
        values: Object.entries(content).map(([key, text]) => ({ key, ...value(String(text)) })),
      },
    },
  });
  return encodeMessage('ExportLogsServiceRequest', {
    resourceLogs: [
      {
        scopeLogs: [
          {
            logRecords: [
              record('gen_ai.user.message', { content: question }),
              record('gen_ai.choice', { message: '{"role":"assistant","content":"so"}' }),
              { body: { stringValue: 'of another library' } },
            ],
          },
        ],
      },
    ],
  });
}

/** A call without content, which names its session. */
function span({ traceId, spanId }: Ids, session: string, others: Record<string, string> = {}): Buffer {
  const attributes = { ...others, 'gen_ai.operation.name': 'chat', 'session.id': session };
  const fields = {
    traceId,
    spanId,
    name: 'chat gpt-4o',
    startTimeUnixNano: '1790000000000000000',
    endTimeUnixNano: '1790000000512345700',
    attributes: Object.entries(attributes).map(([key, text]) => ({ key, ...value(text) })),
  };
  return encodeRequest({ resourceSpans: [{ scopeSpans: [{ spans: [fields] }] }] });
}

describe('a running product', () => {
  let grpcAddress = '';
  const { stack, client } = onStack(async () => {
    const port = String(await freePort());
    grpcAddress = `127.0.0.1:${port}`;
    return startStandalone({ ASSAY_OTLP_GRPC_PORT: port });
  });

  describe('OTLP over gRPC', () => grpcTests(stack, () => grpcAddress));

  it('stores a client and a server whose spans have one id as two events, with children below the server', async () => {
    const [{ traceId, spanId }, child] = [newIds(), newIds().spanId];
    const spanOf = (name: string, kind: number, fields: object = {}) => ({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                { traceId, spanId, name, kind, startTimeUnixNano: `179000000000000000${kind}`, ...fields },
              ],
            },
          ],
        },
      ],
    });
    const requests = [
      spanOf('client', 3),
      spanOf('server', 2),
      spanOf('child', 1, { spanId: child, parentSpanId: spanId, startTimeUnixNano: '1790000000000000009' }),
    ];
    for (const request of [...requests, ...requests]) await client.post('/v1/traces', request);
    const filters = [{ field: 'metadata.trace_id', operator: 'is', value: traceId, type: 'string' }];
    const { events } = await client.search({ filters });
    const byName = new Map(events.map((event) => [event['event_name'], event]));
    expect(events).toHaveLength(3);
    expect(byName.get('server')).toMatchObject({ parent_id: byName.get('client')?.['event_id'] });
    expect(byName.get('child')).toMatchObject({ parent_id: byName.get('server')?.['event_id'] });
  });

  describe('OTLP signals other than spans', () => {
    const send = (path: string, bytes: Buffer, headers = {}) =>
      client.call('POST', path, { bytes, headers: { ...PROTOBUF, ...headers } });
    const eventsOf = async ({ spanId }: Ids) => {
      const filters = [{ field: 'metadata.span_id', operator: 'is', value: spanId, type: 'string' }];
      return (await client.search({ filters })).events;
    };
    const complete = {
      event_name: 'chat gpt-4o',
      event_type: 'model',
      end_time: 1_790_000_000_512.3457,
      inputs: { chat_history: [{ role: 'user', content: 'why?' }] },
      outputs: { role: 'assistant', content: 'so' },
    };

    it('fill the event of a span that arrives later, and moves to the session that it names', async () => {
      const [ids, session] = [newIds(), randomUUID()];
      const response = await send('/v1/logs', gzipSync(logs(ids)), { 'content-encoding': 'gzip' });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/x-protobuf',
      ]);
      expect(await eventsOf(ids)).toMatchObject([{ inputs: complete.inputs }]);
      await send('/v1/traces', span(ids, session));
      expect(await eventsOf(ids)).toMatchObject([{ ...complete, session_id: session }]);
    });

    it('fill the event of a span that has arrived, also when they are sent again', async () => {
      const [ids, session] = [newIds(), randomUUID()];
      await send('/opentelemetry/v1/traces', span(ids, session));
      for (let time = 0; time < 2; time++) await send('/opentelemetry/v1/logs', logs(ids));
      expect(await eventsOf(ids)).toMatchObject([{ ...complete, session_id: session }]);
    });

    it('complete each other in several requests, before and after their span', async () => {
      const [ids, session] = [newIds(), randomUUID()];
      await send('/v1/logs', logs(ids, 'how?', 5));
      await send('/v1/traces', span(ids, session));
      for (let time = 0; time < 2; time++) await send('/v1/logs', logs(ids));
      const asked = ['why?', 'how?'].map((content) => ({ role: 'user', content }));
      expect(await eventsOf(ids)).toMatchObject([
        { ...complete, inputs: { chat_history: asked }, session_id: session },
      ]);
    });

    it('complete the event of a span that sets its own event id', async () => {
      const [ids, session, eventId] = [newIds(), randomUUID(), randomUUID()];
      await send('/v1/logs', logs(ids, 'how?', 5));
      await send('/v1/traces', span(ids, session, { honeyhive_event_id: eventId }));
      await send('/v1/logs', logs(ids));
      const asked = ['why?', 'how?'].map((content) => ({ role: 'user', content }));
      const isComplete = (events: readonly unknown[]) =>
        events.length === 1 &&
        JSON.stringify(events).includes('why?') &&
        JSON.stringify(events).includes('how?');
      await waitFor('the messages are with the span', async () => isComplete(await eventsOf(ids)), {
        withinMs: 60_000,
      });
      expect(await eventsOf(ids)).toMatchObject([
        { ...complete, event_id: eventId, inputs: { chat_history: asked }, session_id: session },
      ]);
    });

    it('are counted when they are not stored, at every address', async () => {
      const records = { resourceLogs: [{ scopeLogs: [{ logRecords: [body({ a: 1 }), body({ a: 2 })] }] }] };
      for (const path of ['/v1/logs', '/opentelemetry/v1/logs']) {
        const response = await client.post(path, records);
        expect(response.json()).toMatchObject({ partialSuccess: { rejectedLogRecords: '2' } });
      }
      const metrics = {
        resourceMetrics: [{ scopeMetrics: [{ metrics: [{ gauge: { dataPoints: [{}] } }] }] }],
      };
      const counted = await client.post('/opentelemetry/v1/metrics', metrics);
      expect(counted.json()).toMatchObject({ partialSuccess: { rejectedDataPoints: '1' } });
      for (const path of ['/v1/metrics', '/opentelemetry/v1/metrics'])
        expect((await send(path, Buffer.alloc(0))).status).toBe(200);
    });

    it('do not change how metrics are defined', async () => {
      const metric = { name: randomUUID(), type: 'LLM', criteria: 'is it?' };
      expect((await client.post('/v1/metrics', metric)).json()).toMatchObject({ inserted: true });
    });
  });
});
