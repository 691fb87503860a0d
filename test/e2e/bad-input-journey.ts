import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { block, bomb, frame, rawFrame } from '@assay/http/test/zstd/frames';
import { seeded } from '../bench/prose.js';
import { Client, type ApiResponse } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import type { Stack } from '../harness/stack/stack.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const GZIPPED = { ...JSON_TYPE, 'content-encoding': 'gzip' };
const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const OTLP = '/opentelemetry/v1/traces';

/** Invalid or hostile input is rejected with the name of the field and never its value, and stores nothing. */
export function badInputJourney(startStack: () => Promise<Stack>): void {
  const { stack, client } = onStack(startStack);

  const event = (fields: object = {}) => ({ event_type: 'tool', inputs: {}, ...fields });
  const refused = (response: ApiResponse, status: number, message: RegExp, secret?: string) => {
    const body = response.json<{ message: string }>();
    expect(body).toMatchObject({
      statusCode: status,
      success: false,
      message: expect.stringMatching(message) as unknown,
    });
    if (secret) expect(response.text).not.toContain(secret);
  };
  const countOf = async (field: string, value: string) =>
    (await client.search({ filters: [{ field, operator: 'is', value, type: 'string' }] })).count;
  const sendText = (bytes: string | Uint8Array, headers = JSON_TYPE) =>
    client.call('POST', '/v1/events', { bytes, headers });
  const stored = async (event_id: string) => {
    await client.search({ limit: 1 });
    return (await client.call('GET', `/v1/events/${event_id}`)).json<{ event: Record<string, unknown> }>()
      .event;
  };
  const alive = async () => expect((await client.post('/v1/events', event())).status).toBe(200);

  describe('fields', () => {
    it.each([
      ['an id that is no UUID', { event_id: 'secret-1' }, /event_id must be a.*UUID/],
      [
        'a session id that is an operator',
        { session_id: { $ne: 'secret-1' } },
        /session_id must be a string/,
      ],
      ['an unknown field', { colour: 'secret-1' }, /colour/],
      ['a project', { project: 'secret-1' }, /project/],
      ['inputs that are no object', { inputs: 'secret-1' }, /inputs must be an object/],
      ['an unknown type', { event_type: 'secret-1' }, /event_type must be one of/],
      ['a session id that is a list', { session_id: ['secret-1'] }, /session_id must be a string/],
      ['an update operator', { $set: { inputs: 'secret-1' } }, /\$set/],
      ['a start that is no number', { start_time: 'secret-1' }, /start_time must be a.*number/],
      ['a negative start', { start_time: -1 }, /start_time.*milliseconds/],
      ['a NUL in a key', { metadata: { 'a\u0000b': 'secret-1' } }, /metadata.*NUL/i],
    ])('%s is 400 by the name of the field', async (_, fields, message) => {
      refused(await client.post('/v1/events', event(fields)), 400, message, 'secret-1');
    });

    it.each([
      ['a wrong field', { ...event(), event_id: '1' }, /events\[2\]\.event_id/],
      ['no type', { inputs: {} }, /events\[2\]\.event_type is required/],
    ])('refuses a batch whose third event has %s as a whole, naming it', async (_, bad, message) => {
      const marker = randomUUID();
      const good = event({ metadata: { marker } });
      refused(await client.post('/v1/events/batch', { events: [good, good, bad, good, good] }), 400, message);
      expect(await countOf('metadata.marker', marker)).toBe(0);
    });

    it('rejects an empty batch, and unknown fields on the strict route', async () => {
      refused(await client.post('/v1/events/batch', { events: [] }), 400, /events/);
      refused(
        await client.post('/v1/events/batch', { events: [event()], is_single_session: true }),
        400,
        /single_session/,
      );
      refused(
        await client.post('/v1/events/batch', { events: [event({ project: 'p' })] }),
        400,
        /events\[0\].*project/,
      );
    });

    it('rejects a batch with an event over 10 MB, names its index and stores nothing', async () => {
      const marker = randomUUID();
      const events = [
        event({ metadata: { marker } }),
        event({ inputs: { text: 'x'.repeat(11 * 1024 * 1024) } }),
      ];
      refused(await client.post('/v1/events/batch', { events }), 413, /events\[1\]/);
      expect(await countOf('metadata.marker', marker)).toBe(0);
    });
  });

  describe('numbers', () => {
    it('rejects a start without end', async () => {
      refused(
        await sendText('{"event_type":"tool","inputs":{},"start_time":1e999}'),
        400,
        /start_time must be a finite number/,
      );
    });

    it('stores an end before the start unchanged and returns a negative duration', async () => {
      const session_id = randomUUID();
      const sent = {
        event_id: randomUUID(),
        session_id,
        start_time: 1_795_000_000_500,
        end_time: 1_795_000_000_000,
      };
      expect((await client.post('/v1/events', event(sent))).status).toBe(200);
      expect(await stored(sent.event_id)).toMatchObject({ ...sent, duration: -500 });
      expect(await countOf('event_id', sent.event_id)).toBe(1);
      expect((await client.call('GET', `/v1/sessions/${session_id}`)).status).toBe(200);
    });

    it('keeps an integer beyond 2^53 digit for digit, the same on every route', async () => {
      const marker = randomUUID();
      const bytes = `{"event_type":"tool","inputs":{},"metadata":{"marker":"${marker}","n":12345678901234567890}}`;
      const wrapped = [
        ['/v1/events', bytes],
        ['/v1/events/batch', `{"events":[${bytes}]}`],
        ['/events', `{"event":${bytes}}`],
        ['/events/batch', `{"events":[${bytes}]}`],
      ] as const;
      for (const [path, text] of wrapped) {
        expect((await client.call('POST', path, { bytes: text, headers: JSON_TYPE })).status).toBe(200);
      }
      expect(await countOf('metadata.marker', marker)).toBe(4);
      const filters = [{ field: 'metadata.marker', operator: 'is', value: marker, type: 'string' }];
      // Parsed, the digits would be rounded here.
      for (const path of ['/v1/events/search', '/v1/events/export']) {
        const { text } = await client.post(path, { filters });
        expect(text.match(/"n":[^,}]+/g)).toEqual(
          Array.from({ length: 4 }, () => '"n":12345678901234567890'),
        );
      }
    });
  });

  describe('data that looks like code', () => {
    it('keeps keys such as __proto__, constructor, $set and a.b as data', async () => {
      const event_id = randomUUID();
      const inputs =
        '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"$set":{"y":2},"a.b":1,"":0}';
      const bytes = `{"event_type":"tool","event_id":"${event_id}","inputs":${inputs},"metadata":${inputs}}`;
      expect((await sendText(bytes)).status).toBe(200);
      await client.search({ limit: 1 });
      const { text } = await client.call('GET', `/v1/events/${event_id}`);
      expect(text).toContain(`"inputs":${inputs}`);
      expect(text).toContain(`"metadata":${inputs.slice(0, -1)}`);
      expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
    });

    it('replaces lone surrogates and keeps everything else', async () => {
      const event_id = randomUUID();
      const bytes = `{"event_type":"tool","event_id":"${event_id}","inputs":{"half":"a\\ud83d","whole":"\\ud83d\\ude00"}}`;
      expect((await client.call('POST', '/v1/events', { bytes, headers: JSON_TYPE })).status).toBe(200);
      await client.search({ limit: 1 });
      const found = (await client.call('GET', `/v1/events/${event_id}`)).json<{
        event: { inputs: object };
      }>();
      expect(found.event.inputs).toEqual({ half: 'a\ufffd', whole: '😀' });
    });

    it.each(["x' OR 1=1 --", "metadata.a') OR (1=1", 'inputs.`q`', '{p:String}', 'metadata.\\'])(
      'takes a filter on %s as a field of that name',
      async (field) => {
        const response = await client.post('/v1/events/search', {
          filters: [{ field, operator: 'is', value: 'v' }],
        });
        if (response.status === 200) expect(response.json()).toMatchObject({ count: 0 });
        else expect(response.status).toBe(400);
      },
    );
  });

  describe('bodies', () => {
    it('rejects truncated and nested JSON', async () => {
      refused(
        await client.call('POST', '/v1/events', { bytes: '{"event_type":"secret-1', headers: JSON_TYPE }),
        400,
        /JSON/,
        'secret-1',
      );
      const deep = `{"event_type":"tool","inputs":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`;
      refused(await client.call('POST', '/v1/events', { bytes: deep, headers: JSON_TYPE }), 400, /64 levels/);
    });

    it.each([
      ['a number that is none', '{"secret-1":NaN}', /byte 12/],
      ['a comma too many', '{"secret-1":1,}', /byte 14/],
      ['a bare number', '5', /body must be an object/],
      ['nothing', '', /body is empty/],
      [
        'too many values',
        `{"event_type":"tool","inputs":{"a":[${'{},'.repeat(2_000_000)}{}]}}`,
        /2,000,000 values/,
      ],
    ])('refuses JSON with %s, by its place', async (_, bytes, message) => {
      refused(await sendText(bytes), 400, message);
      await alive();
    });

    it('rejects other charsets and names the supported one', async () => {
      refused(
        await sendText('{}', { 'content-type': 'application/json; charset=utf-7' }),
        415,
        /charset.*utf-8/,
      );
    });

    it('rejects invalid numbers, invalid UTF-8 and other media types', async () => {
      const infinite = '{"event_type":"tool","inputs":{},"metadata":{"n":1e999}}';
      refused(
        await client.call('POST', '/v1/events', { bytes: infinite, headers: JSON_TYPE }),
        400,
        /finite/,
      );
      const broken = Buffer.concat([
        Buffer.from('{"event_type":"tool","inputs":{"a":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('"}}'),
      ]);
      refused(await client.call('POST', '/v1/events', { bytes: broken, headers: JSON_TYPE }), 400, /UTF-8/);
      refused(
        await client.call('POST', '/v1/events', { bytes: '{}', headers: { 'content-type': 'text/plain' } }),
        415,
        /Content-Type/i,
      );
    });

    it('rejects invalid gzip, truncated gzip and gzip bombs', async () => {
      const body = gzipSync(JSON.stringify(event()));
      refused(await client.call('POST', '/v1/events', { bytes: '{}', headers: GZIPPED }), 400, /gzip/);
      refused(
        await client.call('POST', '/v1/events', {
          bytes: body.subarray(0, body.length - 10),
          headers: GZIPPED,
        }),
        400,
        /gzip data ends early/,
      );
      const bomb = gzipSync(
        Buffer.concat([
          Buffer.from('{"event_type":"tool","inputs":{"a":"'),
          Buffer.alloc(60 * 1024 * 1024, 97),
        ]),
      );
      refused(
        await client.call('POST', '/v1/events', { bytes: bomb, headers: GZIPPED }),
        413,
        /50 MB|52,?428,?800/,
      );
      await alive();
    });

    it('rejects 51 MB', async () => {
      const bytes = Buffer.alloc(51 * 1024 * 1024, 32);
      const response = await client.call('POST', '/v1/events', { bytes, headers: JSON_TYPE });
      refused(response, 413, /50 MB|52,?428,?800/);
      await alive();
    });
  });

  describe('OTLP', () => {
    const span = (fields: object) => ({
      name: 'step',
      startTimeUnixNano: '1795000000000000000',
      endTimeUnixNano: '1795000000001000000',
      ...fields,
    });
    const request = (spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
    const ids = () => ({
      traceId: randomUUID().replaceAll('-', ''),
      spanId: randomUUID().slice(0, 18).replaceAll('-', ''),
    });

    it('accepts the valid spans beside an invalid one and counts it', async () => {
      const good = Array.from({ length: 3 }, () => span(ids()));
      const response = await client.post(OTLP, request([...good, span({ traceId: '1234', spanId: 'ab' })]));
      expect(response.json()).toMatchObject({
        partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringMatching(/trace/i) as unknown },
      });
      for (const { traceId } of good as { traceId?: string }[])
        expect(await countOf('metadata.trace_id', traceId!)).toBe(1);
    });

    it('rejects malformed JSON and protobuf, each in its own encoding', async () => {
      expect(
        (await client.call('POST', OTLP, { bytes: '{"resourceSpans":5}', headers: JSON_TYPE })).status,
      ).toBe(400);
      const response = await client.call('POST', OTLP, {
        bytes: Buffer.from([0x0a, 0xff, 0xff, 0x01]),
        headers: PROTOBUF,
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([
        400,
        'application/x-protobuf',
      ]);
    });

    it('rejects JSON and noise declared as protobuf, in protobuf', async () => {
      const random = seeded(20);
      const noise = Buffer.from(Array.from({ length: 1_024 }, () => Math.floor(random() * 256)));
      for (const bytes of [JSON.stringify(request([span(ids())])), noise]) {
        const response = await client.call('POST', OTLP, { bytes, headers: PROTOBUF });
        expect([response.status, response.headers.get('content-type')]).toEqual([
          400,
          'application/x-protobuf',
        ]);
      }
    });

    it('rejects an unknown encoding and names the supported ones', async () => {
      const response = await client.call('POST', OTLP, {
        bytes: '{}',
        headers: { ...JSON_TYPE, 'content-encoding': 'br' },
      });
      expect([response.status, response.text, response.headers.get('accept-encoding')]).toEqual([
        415,
        expect.stringContaining('must be gzip, deflate, zstd or identity'),
        'gzip, deflate, zstd',
      ]);
    });

    it('accepts spans and events in zstd, and rejects a bomb, a window of 2 GB, a dictionary and a cut body', async () => {
      const headers = { ...JSON_TYPE, 'content-encoding': 'zstd' };
      const post = (path: string, bytes: Buffer) => client.call('POST', path, { bytes, headers });
      const kept = ids();
      expect((await post(OTLP, rawFrame(Buffer.from(JSON.stringify(request([span(kept)])))))).json()).toEqual(
        {},
      );
      const event = JSON.stringify({ event_type: 'tool', event_name: 'in zstd', inputs: {} });
      expect((await post('/v1/events', rawFrame(Buffer.from(event)))).status).toBe(200);
      const content = block('raw', Buffer.from('{}'), { last: true });
      const refused = [
        [bomb(60), 413, 'after decompression'],
        [frame([content], [0, 0xa8]), 400, 'the window of zstd data must not be larger than 64 MB'],
        [frame([content], [1, 0x50, 7]), 400, 'zstd data must not need a dictionary'],
        [rawFrame(Buffer.from('{}')).subarray(0, -1), 400, 'zstd data ends early'],
      ] as const;
      for (const [bytes, status, text] of refused) {
        const response = await post(OTLP, bytes);
        expect([response.status, response.text]).toEqual([status, expect.stringContaining(text)]);
      }
    });

    it('stores an attribute 60 levels deep and rejects only the span with one deeper than 64', async () => {
      const nested = (levels: number): object =>
        levels === 0 ? { intValue: '1' } : { arrayValue: { values: [nested(levels - 1)] } };
      const deep = (levels: number) => ({ ...ids(), attributes: [{ key: 'deep', value: nested(levels) }] });
      const kept = deep(60);
      const response = await client.post(OTLP, request([span(kept), span(deep(65))]));
      expect(response.json()).toMatchObject({
        partialSuccess: {
          rejectedSpans: '1',
          errorMessage: expect.stringMatching(/nested deeper than 64/) as unknown,
        },
      });
      const found = await client.search({
        filters: [{ field: 'metadata.trace_id', operator: 'is', value: kept.traceId }],
      });
      expect(JSON.stringify(found.events.map(({ metadata }) => metadata))).toContain(
        `"deep":${'['.repeat(60)}1${']'.repeat(60)}`,
      );
    });

    it('rejects five million empty spans in a few kilobytes', async () => {
      const spans = Buffer.alloc(10_000_000, Buffer.from([0x12, 0x00]));
      const length = (value: number) =>
        Buffer.from([
          (value & 127) | 128,
          ((value >> 7) & 127) | 128,
          ((value >> 14) & 127) | 128,
          value >> 21,
        ]);
      const scope = Buffer.concat([Buffer.from([0x12]), length(spans.length), spans]);
      const resource = Buffer.concat([Buffer.from([0x0a]), length(scope.length), scope]);
      const response = await client.call('POST', OTLP, {
        bytes: gzipSync(resource),
        headers: { ...PROTOBUF, 'content-encoding': 'gzip' },
      });
      expect([400, 413]).toContain(response.status);
      expect(response.text).toContain('at most 100,000 spans');
      await alive();
    });

    it('responds 200 to an empty request', async () => {
      expect((await client.post(OTLP, {})).text).toBe('{}');
      const response = await client.call('POST', OTLP, { bytes: '', headers: PROTOBUF });
      expect([response.status, response.text]).toEqual([200, '']);
    });
  });

  describe('queries', () => {
    it.each<[string, object, RegExp]>([
      [
        'a value that is an operator',
        { filters: [{ field: 'source', value: { $gt: '' } }] },
        /filters\[0\]\.value/,
      ],
      [
        'an unknown type',
        { filters: [{ field: 'source', value: 'x', type: 'id' }] },
        /filters\[0\]\.type must be one of.*datetime/,
      ],
      ['a limit below 1', { limit: -1 }, /limit/],
      ['a limit of text', { limit: 'abc' }, /limit must be an integer/],
      ['a limit over the largest', { limit: 1e9 }, /limit.*1,?000/],
      ['a date that the calendar lacks', { dateRange: { $gte: '2024-13-45' } }, /dateRange/],
    ])('with %s are 400 by the name of the field', async (_, query, message) => {
      refused(await client.post('/v1/events/search', query), 400, message);
    });

    it.each(['-1', 'abc'])('respond 400 to a query string with the limit %s', async (limit) => {
      refused(await client.call('GET', `/v1/events?limit=${limit}`), 400, /limit/);
    });

    it.each(['/v1/events', '/v1/runs'])('cannot leave %s through .. in the path', async (path) => {
      refused(await client.call('GET', `${path}/..%2f..%2fetc%2fpasswd`), 400, /_id must be a valid UUID/);
    });
  });

  describe('keys and projects', () => {
    const makeProject = async () => {
      const created = await client.post(
        '/v1/projects',
        { name: `project ${randomUUID()}` },
        { key: stack.adminToken },
      );
      return created.json<{ id: string; api_key: string }>();
    };

    it('treats events of another project as not found', async () => {
      const other = await makeProject();
      const unauthorised = new Client(stack, other.api_key);
      const mine = (await client.post('/v1/events', event({ metadata: { secret: 'mine' } }))).json<{
        event_id: string;
      }>();
      await client.search({ limit: 1 });
      // The same id, so that the texts can be compared.
      const headers = { 'x-request-id': 'of-the-test' };
      const missing = await unauthorised.call('GET', `/v1/events/${randomUUID()}`, { headers });
      const hidden = await unauthorised.call('GET', `/v1/events/${mine.event_id}`, { headers });
      expect([hidden.status, hidden.text]).toEqual([missing.status, missing.text]);
      expect(await unauthorised.search({})).toMatchObject({ count: 0, events: [] });
      await unauthorised.call('PUT', `/v1/events/${mine.event_id}`, {
        body: { metadata: { secret: 'theirs' } },
      });
      await unauthorised.call('DELETE', `/v1/events/${mine.event_id}`);
      await unauthorised.search({ limit: 1 });
      const read = (await client.call('GET', `/v1/events/${mine.event_id}`)).json<{
        event: { metadata: object };
      }>();
      expect(read.event.metadata).toEqual({ secret: 'mine' });
    });

    it('stores the same id separately in two projects', async () => {
      const other = new Client(stack, (await makeProject()).api_key);
      const event_id = randomUUID();
      await client.post('/v1/events', event({ event_id, inputs: { of: 'one' } }));
      await other.post('/v1/events', event({ event_id, inputs: { of: 'other' } }));
      const found = await Promise.all(
        [client, other].map((one) => one.search({ filters: [{ field: 'event_id', value: event_id }] })),
      );
      expect(found.map(({ events }) => events.map(({ inputs }) => inputs))).toEqual([
        [{ of: 'one' }],
        [{ of: 'other' }],
      ]);
    });

    it('rejects a revoked key within 30 seconds', async () => {
      const project = await makeProject();
      const admin = { key: stack.adminToken };
      const made = await client.post(
        `/v1/projects/${project.id}/ingestion_api_keys`,
        { name: 'short-lived' },
        admin,
      );
      const { key_value, key_id } = made.json<{ data: { key_value: string; key_id: string } }>().data;
      expect(key_value).toMatch(/^hh_ingst_[A-Za-z0-9]{24}_[A-Za-z0-9_-]{64}$/);
      expect((await client.post('/v1/events', event(), { key: key_value })).status).toBe(200);
      expect(
        (await client.call('DELETE', `/v1/projects/${project.id}/api_keys/${key_id}`, admin)).status,
      ).toBe(200);
      const deadline = Date.now() + 31_000;
      let status = 200;
      while (status === 200 && Date.now() < deadline) {
        await new Promise((resume) => setTimeout(resume, 250));
        status = (await client.post('/v1/events', event(), { key: key_value })).status;
      }
      expect(status).toBe(401);
    }, 40_000);
  });
}
