import { createHash } from 'node:crypto';
import { runSync } from '@assay/runtime';
import { encodedLogs, logRecord } from '../test/log-records.js';
import { PROJECT } from '../test/map-one.js';
import { jsonBody, requestJson, spanJson, type SpanInput } from '../test/otlp-request.js';
import { decodeTraces } from './codec/decode-traces.js';
import { encodeRequest } from './codec/protobuf/encode-request.js';
import { decodeLogs } from './logs/decode-logs.js';
import { mapLogsSteps } from './logs/map-logs.js';
import { toEvents } from './to-events.js';

const CONTEXT = { projectId: PROJECT, receivedAt: 1 };
const MB = 1_048_576;
const WARNING = 'their largest values are replaced by assay_truncated';

function map(
  spans: SpanInput[],
  encoding: 'json' | 'protobuf',
  resource: Record<string, unknown> = {},
  maxEventBytes?: number,
) {
  const json = requestJson(spans.map(spanJson), resource);
  const body = encoding === 'json' ? jsonBody(json) : encodeRequest(json);
  const decoded = decodeTraces(body, encoding, { rawText: true, maxEventBytes });
  return toEvents(decoded, { ...CONTEXT, maxEventBytes });
}

const markerOf = (text: string) => ({
  assay_truncated: {
    bytes: text.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    preview: text.slice(0, 200),
  },
});

const image = 'A'.repeat(11 * MB);
const call = {
  name: 'chat gpt-4o',
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 7,
    'gen_ai.input.messages': JSON.stringify([
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'what is it?' },
          { type: 'blob', modality: 'image', mime_type: 'image/png', content: image },
        ],
      },
    ]),
  },
};

describe.each(['json', 'protobuf'] as const)('a span above 10 MB in %s', (encoding) => {
  it('keeps its call, and its neighbours are unchanged', () => {
    const before = { spanId: 'aaaaaaaaaaaaaaaa', name: 'before', attributes: { k: 1 } };
    const { events, rejected } = map([before, call], encoding);
    expect(events[0]).toEqual(map([before], encoding).events[0]);
    expect(events[1]).toMatchObject({
      event_type: 'model',
      event_name: 'chat gpt-4o',
      config: { model: 'gpt-4o' },
      metadata: { prompt_tokens: 7, truncated_values: 1 },
    });
    const text = JSON.stringify(events[1]?.inputs);
    expect(text).toContain('what is it?');
    expect(text).toContain(JSON.stringify(markerOf(image)));
    expect(rejected).toEqual({
      count: 0,
      message: `1 event was larger than 10 MB, ${WARNING}`,
      truncated: 1,
    });
  });

  it('is small enough for the log with its session, whatever is large', () => {
    const name = 'n'.repeat(11 * MB);
    const user = { 'user.id': 'u'.repeat(11 * MB), 'session.id': 's'.repeat(11 * MB) };
    for (const mapped of [map([{ name, attributes: user }], encoding), map([{}], encoding, { r: image })])
      for (const event of [...mapped.events, ...mapped.sessions])
        expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(10 * MB);
  });

  it('keeps less where the log takes smaller events', () => {
    const attributes = { a: 'a'.repeat(600_000), b: 'b'.repeat(500_000), c: 'c' };
    const maxEventBytes = 786_432;
    const { events, rejected } = map([{ attributes }], encoding, {}, maxEventBytes);
    expect(rejected).toMatchObject({ count: 0, truncated: 1 });
    expect(rejected.message).toMatch(/^1 event was larger than 786432 bytes of JSON, their largest values/);
    expect(Buffer.byteLength(JSON.stringify(events[0]))).toBeLessThanOrEqual(maxEventBytes);
    expect(JSON.stringify(events[0])).toContain('b'.repeat(500_000));
  });

  it('gives evaluations of another span that fit', () => {
    const attributes = { 'gen_ai.evaluation.name': 'a', 'gen_ai.evaluation.score.label': image };
    const { patches } = map(
      [
        {
          links: [{ traceId: 'b'.repeat(32), spanId: 'c'.repeat(16) }],
          events: [{ name: 'gen_ai.evaluation.result', attributes }],
        },
      ],
      encoding,
    );
    expect(patches).toHaveLength(1);
    expect(JSON.stringify(patches[0]?.patch).length).toBeLessThan(MB);
    expect(JSON.stringify(patches[0]?.patch)).toContain('assay_truncated');
  });

  it('is measured as an event: control characters take six bytes each', () => {
    const { events, rejected } = map([{ attributes: { a: '\u0001'.repeat(2 * MB) } }], encoding);
    expect(rejected.truncated).toBe(1);
    expect(JSON.stringify(events).length).toBeLessThan(MB);
  });

  it('keeps up to 10 MB of the log records of a span', () => {
    const records = [1, 2].map((n) =>
      logRecord({
        eventName: 'gen_ai.user.message',
        body: { content: String(n).repeat(6 * MB) },
        hrTime: [1_700_000_000, n],
      }),
    );
    const { events, rejected } = runSync(
      mapLogsSteps(decodeLogs(encodedLogs(records)[encoding], encoding), CONTEXT),
    );
    expect(events).toHaveLength(1);
    const contents = (events[0]?.inputs['chat_history'] as { content: unknown }[]).map(
      ({ content }) => content,
    );
    expect(contents).toContainEqual(markerOf('1'.repeat(6 * MB)));
    expect(contents).toContainEqual('2'.repeat(6 * MB));
    expect(rejected.truncated).toBe(1);
  });
});

describe('a body of 10 MB', () => {
  it('that is truncated JSON is rejected as a whole', () => {
    const body = jsonBody(requestJson([spanJson(call)]));
    for (const length of [10 * MB, body.length - 1])
      expect(() => decodeTraces(body.subarray(0, length), 'json')).toThrow('the body is not valid JSON');
  });
});
