import { env as environment } from 'node:process';
import { callingEventId, spanEventId, type Event } from '@assay/domain';
import { runSync } from '@assay/runtime';
import fc from 'fast-check';
import { leavesOfSpan, lostLeaves } from '../test/conservation.js';
import { CONVERSATION, encodedLogs } from '../test/log-records.js';
import { mapSpans, PROJECT } from '../test/map-one.js';
import { jsonBody, requestJson, SPAN_ID, spanJson, TRACE_ID, type SpanInput } from '../test/otlp-request.js';
import { ALL_VECTORS, randomSpan } from '../test/random-span.js';
import { StoredEvents } from '../test/stored-events.js';
import { decodeTraces } from './codec/decode-traces.js';
import { encodeRequest } from './codec/protobuf/encode-request.js';
import { decodeLogs } from './logs/decode-logs.js';
import { mapLogsSteps } from './logs/map-logs.js';
import type { OtlpEncoding } from './messages.js';
import { toEvents, type MappedTraces } from './to-events.js';

const seed = Number(environment.SEED ?? Date.now() % 1_000_000_007);
const CONTEXT = { projectId: PROJECT, receivedAt: 1 };
const GATEWAY = 'aaaaaaaaaaaaaaaa';
const SERVING_ID = spanEventId(PROJECT, TRACE_ID, SPAN_ID);
const CALLING_ID = callingEventId(SERVING_ID);
const OUTER_ID = spanEventId(PROJECT, TRACE_ID, GATEWAY);

const client: SpanInput = {
  name: 'POST /chat (client)',
  kind: 3,
  parentSpanId: GATEWAY,
  attributes: { peer: 'gateway' },
};
const server: SpanInput = {
  name: 'POST /chat (server)',
  kind: 2,
  parentSpanId: GATEWAY,
  startTimeUnixNano: '1700000000020000000',
  attributes: { handler: 'chat' },
};
const child: SpanInput = {
  name: 'chat gpt-4o',
  kind: 3,
  spanId: 'bbbbbbbbbbbbbbbb',
  parentSpanId: SPAN_ID,
  startTimeUnixNano: '1700000000030000000',
  attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' },
};
const evaluation: SpanInput = {
  name: 'evaluate',
  spanId: 'cccccccccccccccc',
  startTimeUnixNano: '1700000000040000000',
  links: [{ traceId: TRACE_ID, spanId: SPAN_ID }],
  events: [
    {
      name: 'gen_ai.evaluation.result',
      attributes: { 'gen_ai.evaluation.name': 'relevance', 'gen_ai.evaluation.score.value': 0.5 },
    },
  ],
};

type Request = readonly SpanInput[] | 'logs';

function mapRequest(request: Request, encoding: OtlpEncoding): MappedTraces {
  if (request === 'logs')
    return runSync(mapLogsSteps(decodeLogs(encodedLogs(CONVERSATION)[encoding], encoding), CONTEXT));
  const json = requestJson(request.map(spanJson));
  const body = encoding === 'json' ? jsonBody(json) : encodeRequest(json);
  return toEvents(decodeTraces(body, encoding), CONTEXT);
}

function stored(requests: readonly Request[], encoding: OtlpEncoding = 'json'): Event[] {
  const events = new StoredEvents();
  for (const request of requests) events.store(mapRequest(request, encoding));
  return events.all();
}

const ids = (events: readonly Event[]) => events.map((event) => [event.event_id, event.parent_id]);

describe.each(['json', 'protobuf'] as const)(
  'two spans with one id, of a client and a server, in %s',
  (encoding) => {
    const expected = [
      [CALLING_ID, OUTER_ID],
      [SERVING_ID, CALLING_ID],
      [spanEventId(PROJECT, TRACE_ID, 'bbbbbbbbbbbbbbbb'), SERVING_ID],
    ];

    it.each<[string, Request[]]>([
      ['in one request', [[client, server, child]]],
      ['in one request, the server first', [[child, server, client]]],
      ['in two requests', [[client], [server, child]]],
      ['in two requests, the server first', [[child, server], [client]]],
      ['in three requests', [[child], [client], [server]]],
      ['in one request, and alone again', [[client, server, child], [client], [server], [child]]],
      ['alone, and in one request again', [[server], [client, server, child], [client]]],
      ['each of them twice', [[client], [client], [server], [server], [child], [client]]],
    ])('give two events, and children are below that of the server: %s', (_, requests) => {
      const events = stored(requests, encoding);
      expect(ids(events)).toEqual(expected);
      expect(events.map(({ metadata: { peer, handler } }) => [peer, handler])).toEqual([
        ['gateway', undefined],
        [undefined, 'chat'],
        [undefined, undefined],
      ]);
    });

    it('whose log records arrive at any time give the content to the event of the server', () => {
      const orders: Request[][] = [
        [[client, server], 'logs'],
        ['logs', [client], [server]],
        ['logs', [server], [client]],
        [[client], 'logs', [server]],
        [[server], 'logs', [client], 'logs'],
        [[client], [server], 'logs'],
        ['logs', [server, client]],
      ];
      const [first, ...others] = orders.map((requests) => stored(requests, encoding));
      expect(first?.map(({ inputs }) => inputs)).toEqual([
        {},
        {
          chat_history: [
            { role: 'system', content: 'be brief' },
            { role: 'user', content: 'why?' },
          ],
        },
      ]);
      for (const other of others) expect(other).toEqual(first);
    });

    it('give the evaluations of a span that links to their id to the event of the server', () => {
      for (const requests of [
        [[client, server, evaluation]],
        [[evaluation], [client], [server]],
        [[client], [server], [evaluation], [evaluation]],
        [[client], [evaluation], [server], [client]],
      ]) {
        const events = stored(requests, encoding);
        expect(events.find(({ event_id: id }) => id === SERVING_ID)?.metrics).toEqual({ relevance: 0.5 });
        expect(events).toHaveLength(3);
      }
    });
  },
);

describe('spans with one id', () => {
  it.each([
    ['PRODUCER and CONSUMER', 4, 5],
    ['INTERNAL and SERVER', 1, 2],
    ['no kind and CONSUMER', 0, 5],
  ])('of the kinds %s are two events', (_, calling, serving) => {
    const spans = [
      { ...client, kind: calling },
      { ...server, kind: serving },
    ];
    expect(ids(stored([spans]))).toEqual(ids(stored(spans.map((span) => [span]))));
    expect(ids(stored([spans])).map(([id]) => id)).toEqual([CALLING_ID, SERVING_ID]);
  });

  it('keep the id that they had when no other span has it', () => {
    for (const kind of [0, 1, 2, 3, 4, 5])
      expect(ids(stored([[{ ...client, kind }]]))).toEqual([[SERVING_ID, OUTER_ID]]);
  });

  it('take their session from each other: the server from the client, children from the server', () => {
    const withSession = { ...client, attributes: { 'session.id': 'chat-1' } };
    const { events } = mapSpans([child, server, withSession]);
    expect(new Set(events.map((event) => event.session_id)).size).toBe(1);
    const named = { ...server, attributes: { 'session.id': 'chat-2' } };
    const [ofChild, ofServer, ofClient] = mapSpans([child, named, withSession]).events.map(
      (event) => event.session_id,
    );
    expect(ofChild).toBe(ofServer);
    expect(ofClient).not.toBe(ofServer);
  });

  it('are apart already when one sets an event id', () => {
    const own = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
    const named = { ...server, attributes: { honeyhive_event_id: own } };
    for (const requests of [[[client, named]], [[client], [named]], [[named], [client]]])
      expect(ids(stored(requests))).toEqual([
        [SERVING_ID, OUTER_ID],
        [own, OUTER_ID],
      ]);
  });

  it('and one side are counted, and the one that ends last is stored', () => {
    const later = { ...client, name: 'another', endTimeUnixNano: '1700000002000000000' };
    const { events, rejected } = mapSpans([client, later, server, client]);
    expect(events.map((event) => event.event_name)).toEqual(['another', 'POST /chat (server)']);
    expect(rejected).toEqual({
      count: 2,
      message:
        '2 spans rejected, the first because of: another span of the request has the same traceId, spanId and side of ' +
        'the call; the one that ends last is stored',
    });
  });

  it('that are one span, sent twice or while it ran, are not counted', () => {
    const running = { ...client, endTimeUnixNano: '0', attributes: { peer: 'so far' } };
    const { events, rejected } = mapSpans([client, running, client]);
    expect(events).toHaveLength(1);
    expect(rejected).toEqual({ count: 0, message: '' });
  });

  it('are counted beside spans that are broken', () => {
    const { rejected } = mapSpans([client, { ...client, name: 'another' }, { spanId: 'no' }]);
    expect(rejected.count).toBe(2);
    expect(rejected.message).toMatch(/^1 span rejected: .*spanId must be.*; 1 span rejected: another span/);
  });
});

describe(`nothing that two spans with one id carry is lost (SEED=${seed})`, () => {
  const pair = (one: SpanInput, other: SpanInput) =>
    [
      { ...one, kind: 3 },
      { ...other, kind: 2, startTimeUnixNano: '1700000000000000001' },
    ] as const;
  const lostOf = (calling: SpanInput, serving: SpanInput, requests: SpanInput[][]) => {
    const events = stored([...requests, 'logs']);
    const leaves = [calling, serving].flatMap(leavesOfSpan);
    return lostLeaves(leaves, { ...mapSpans([calling, serving]), events });
  };

  it('for any two spans, in one request and in two, in both orders', () => {
    fc.assert(
      fc.property(randomSpan, fc.nat(ALL_VECTORS.length - 1), (one, index) => {
        const vector = ALL_VECTORS[index]?.[1][0] ?? {};
        if (vector.attributes?.['logfire.span_type'] === 'pending_span') return;
        const [calling, serving] = pair(one, { ...vector, spanId: SPAN_ID, traceId: TRACE_ID });
        for (const requests of [[[calling, serving]], [[calling], [serving]], [[serving], [calling]]])
          expect(lostOf(calling, serving, requests)).toEqual([]);
      }),
      { seed, numRuns: 200 },
    );
  });
});
