import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import request from 'supertest';
import { encodeStatus } from '../response/otlp-status.js';
import { listen } from '../server/listen.js';
import { KEY, sampleApp } from '../../test/sample-app.js';

const EVENT = '{"event_type":"model","inputs":{}}';

interface Sent {
  readonly path?: string;
  readonly body?: string | Buffer;
  readonly type?: string;
  readonly headers?: Record<string, string>;
}

/** Sends bytes as they are. */
async function post(
  app: ReturnType<typeof sampleApp>,
  { path = '/v1/events', body = EVENT, type = 'application/json', headers = {} }: Sent,
) {
  const call = request(app.listener).post(path).set(KEY).set(headers).buffer(true).parse(bytes);
  if (type !== '') void call.set('Content-Type', type);
  void call.serialize((value: unknown) => value as string);
  const answer = await call.send(Buffer.from(body as string));
  return {
    status: answer.status,
    type: answer.headers['content-type'] as string,
    headers: answer.headers as Record<string, string>,
    bytes: answer.body as Buffer,
  };
}

function bytes(response: request.Response, done: (error: Error | null, body: Buffer) => void): void {
  const pieces: Buffer[] = [];
  response.on('data', (piece: Buffer) => pieces.push(piece));
  response.on('end', () => done(null, Buffer.concat(pieces)));
}

describe('a JSON route', () => {
  test.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])(
    'takes %s',
    async (type) => {
      expect((await post(sampleApp(), { type })).status).toBe(200);
    },
  );

  test.each<[string, Sent, number, string]>([
    ['plain text', { type: 'text/plain' }, 415, 'Content-Type must be application/json'],
    ['no type', { type: '' }, 415, 'Content-Type must be application/json'],
    [
      'another charset',
      { type: 'application/json; charset=utf-7' },
      415,
      'charset of Content-Type must be utf-8',
    ],
    [
      'brotli',
      { headers: { 'Content-Encoding': 'br' } },
      415,
      'Content-Encoding must be gzip, deflate or identity',
    ],
    ['an empty body', { body: '' }, 400, 'body is empty'],
    [
      'JSON said to be gzip',
      { headers: { 'Content-Encoding': 'gzip' } },
      400,
      'body is not gzip, although Content-Encoding says so',
    ],
    ['a list', { body: '[]' }, 400, 'body must be an object'],
    [
      'a word as time',
      { body: '{"event_type":"model","inputs":{},"start_time":"yesterday"}' },
      400,
      'start_time must be a finite number of milliseconds',
    ],
    [
      'a time without end',
      { body: '{"event_type":"model","inputs":{},"start_time":1e999}' },
      400,
      'start_time must be a finite number',
    ],
    [
      'a key with NUL',
      { body: '{"event_type":"model","inputs":{"a\\u0000":1}}' },
      400,
      'inputs has a key with a NUL character',
    ],
    [
      'too deep a value',
      { body: `{"event_type":"model","inputs":{"a":${'['.repeat(1000)}${']'.repeat(1000)}}}` },
      400,
      'inputs.a[0][0][0][0]… is nested deeper than 64 levels',
    ],
    [
      'a query of the language',
      { path: '/v1/events?__proto__[a]=1' },
      400,
      'query has a parameter with a name that is not allowed',
    ],
  ])('refuses %s', async (_, sent, status, message) => {
    const app = sampleApp();
    const answer = await post(app, sent);
    expect(answer.type).toBe('application/json');
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({
      statusCode: status,
      message,
      success: false,
    });
    expect(answer.status).toBe(status);
    expect(app.seen.bodies).toEqual([]);
    expect(app.budget.used).toBe(0);
  });

  test('hands on user data as it was sent', async () => {
    const app = sampleApp();
    const body = '{"event_type":"model","inputs":{"__proto__":{"isAdmin":true},"a.b":1,"$set":{"x":1}}}';
    expect((await post(app, { body })).status).toBe(200);
    expect(JSON.stringify(app.seen.bodies[0])).toBe(body);
    expect('isAdmin' in {}).toBe(false);
  });
});

describe('the OTLP route', () => {
  const path = '/opentelemetry/v1/traces';
  const PROTOBUF = 'application/x-protobuf';

  test.each<[string, Sent, string]>([
    ['JSON', { body: '{}' }, 'application/json'],
    ['JSON with a charset', { body: '{}', type: 'Application/JSON; charset=utf-8' }, 'application/json'],
    ['JSON that nobody names', { body: ' {}', type: '' }, 'application/json'],
    ['protobuf', { body: '\n\0', type: PROTOBUF }, PROTOBUF],
    ['protobuf by another name', { body: '\n\0', type: 'application/protobuf' }, PROTOBUF],
    ['no byte of protobuf', { body: '', type: PROTOBUF }, PROTOBUF],
    [
      'JSON of an attribute 60 levels deep',
      { body: `${'{"arrayValue":{"values":['.repeat(60)}${']}}'.repeat(60)}` },
      'application/json',
    ],
  ])('takes %s and answers in its encoding', async (_, sent, type) => {
    for (const alias of [path, '/v1/traces']) {
      const app = sampleApp();
      const answer = await post(app, { ...sent, path: alias });
      expect(answer).toMatchObject({ status: 200, type, bytes: Buffer.from(type === PROTOBUF ? '' : '{}') });
      expect(app.seen.raw).toMatchObject([{ contentType: type }]);
      expect(app.budget.used).toBe(0);
    }
  });

  test('takes gzip that no header names', async () => {
    const app = sampleApp();
    expect((await post(app, { path, body: gzipSync('{"a":1}') })).status).toBe(200);
    expect(app.seen.raw[0]?.body.toString()).toBe('{"a":1}');
  });

  test.each<[string, Sent, number, number, string]>([
    [
      'text',
      { type: 'text/plain' },
      415,
      3,
      'Content-Type must be application/json or application/x-protobuf',
    ],
    [
      'what nobody names',
      { type: '', body: 'x' },
      415,
      3,
      'Content-Type must be application/json or application/x-protobuf',
    ],
    [
      'zstd',
      { headers: { 'Content-Encoding': 'zstd' } },
      415,
      3,
      'Content-Encoding must be gzip, deflate or identity',
    ],
    ['empty JSON', { body: '' }, 400, 3, 'body is empty'],
    ['what the operation refuses', { body: '{"refuse":1}' }, 400, 3, 'body is not OTLP'],
    [
      'a wrong key',
      { headers: { Authorization: 'Bearer wrong' } },
      401,
      16,
      'the key is unknown, expired or revoked',
    ],
  ])('refuses %s with a code of its own in JSON', async (_, sent, statusCode, code, message) => {
    const answer = await post(sampleApp(), { path, ...sent });
    expect(answer.type).toBe('application/json');
    expect(answer.status).toBe(statusCode);
    expect(JSON.parse(answer.bytes.toString())).toEqual({
      code,
      message,
      statusCode,
      success: false,
      errorCode: expect.any(String) as string,
    });
  });

  test('refuses protobuf in protobuf', async () => {
    const answer = await post(sampleApp(), {
      path,
      type: PROTOBUF,
      headers: { Authorization: 'Bearer wrong' },
    });
    expect(answer).toMatchObject({
      status: 401,
      type: PROTOBUF,
      bytes: encodeStatus(16, 'the key is unknown, expired or revoked'),
    });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect([...encodeStatus(3, 'ü'.repeat(100)).subarray(0, 6)]).toEqual([8, 3, 0x12, 0xc8, 0x01, 0xc3]);
  });

  test('is 503 where other routes are 500, because exporters drop what is answered 500', async () => {
    const answer = await post(sampleApp(), { path, body: '{"break":1}' });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answer.bytes.toString()).not.toContain('stays inside');
  });
});

describe('whatever a client sends', () => {
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => gzipSync(text)),
    fc
      .object({
        key: fc.constantFrom('event_type', 'inputs', 'events', '__proto__', 'metadata', 'start_time', 'a'),
      })
      .map((value) => Buffer.from(JSON.stringify(value))),
  );
  const sent = fc.record({
    path: fc.constantFrom(
      '/v1/events',
      '/v1/events/batch',
      '/v1/traces',
      '/v1/events/x',
      '/v1/projects?name[a]=1',
      '/v1/%zz',
      '/v1/events?a[=]',
    ),
    method: fc.constantFrom('POST', 'PUT', 'GET', 'DELETE', 'PATCH'),
    type: fc.constantFrom(
      'application/json',
      'application/x-protobuf',
      'text/plain',
      ';;',
      'application/json; charset=x',
    ),
    coding: fc.constantFrom('gzip', 'identity', 'deflate', 'br', 'x-gzip, gzip'),
    body: bodies,
  });

  test('is answered as its fault or with success, as JSON, and leaves nothing in the budget', async () => {
    const app = sampleApp();
    const listening = await listen({ listener: app.listener, host: '127.0.0.1', port: 0 });
    await fc.assert(
      fc.asyncProperty(sent, async ({ path, method, type, coding, body }) => {
        const headers = { ...KEY, 'Content-Type': type, 'Content-Encoding': coding };
        const answer = await fetch(`http://127.0.0.1:${listening.port}${path}`, {
          method,
          headers,
          body: method === 'GET' ? undefined : Buffer.from(body),
        });
        const text = await answer.text();
        expect(answer.status).toBeLessThan(500);
        if (answer.headers.get('content-type') === 'application/json') expect(JSON.parse(text)).toBeDefined();
        expect(app.budget.used).toBe(0);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { seed: Date.now(), numRuns: 400 },
    );
    await listening.close(1000);
  });
});
