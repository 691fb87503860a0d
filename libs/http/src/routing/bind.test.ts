import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import request from 'supertest';
import { decodeMessage } from '@assay/otlp';
import { listen } from '../server/listen.js';
import { KEY, sampleApp } from '../../test/sample-app.js';
import { rawFrame } from '../../test/zstd/frames.js';

const EVENT = '{"event_type":"model","inputs":{}}';

interface Sent {
  readonly path?: string;
  readonly body?: string | Buffer;
  readonly type?: string;
  readonly headers?: Record<string, string>;
}

/** Sends the bytes unchanged. */
async function post(
  app: ReturnType<typeof sampleApp>,
  { path = '/v1/events', body = EVENT, type = 'application/json', headers = {} }: Sent,
) {
  const call = request(app.listener).post(path).set(KEY).set(headers).buffer(true).parse(bytes);
  if (type !== '') void call.set('Content-Type', type);
  void call.serialize((value: unknown) => value as string);
  const response = await call.send(Buffer.from(body as string));
  return {
    status: response.status,
    type: response.headers['content-type'] as string,
    headers: response.headers as Record<string, string>,
    bytes: response.body as Buffer,
  };
}

function bytes(response: request.Response, done: (error: Error | null, body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => done(null, Buffer.concat(chunks)));
}

describe('a route bound with bind', () => {
  test.each(['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'])(
    'accepts %s',
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
      'Content-Encoding must be gzip, deflate, zstd or identity',
    ],
    ['an empty body', { body: '' }, 400, 'body is empty'],
    [
      'JSON declared as gzip',
      { headers: { 'Content-Encoding': 'gzip' } },
      400,
      'body is not gzip, although Content-Encoding says so',
    ],
    ['a list', { body: '[]' }, 400, 'body must be an object'],
    [
      'text as time',
      { body: '{"event_type":"model","inputs":{},"start_time":"yesterday"}' },
      400,
      'start_time must be a finite number of milliseconds',
    ],
    [
      'an infinite time',
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
      'a query parameter named __proto__',
      { path: '/v1/events?__proto__[a]=1' },
      400,
      'query has a parameter with a name that is not allowed',
    ],
  ])('rejects %s', async (_, sent, status, message) => {
    const app = sampleApp();
    const response = await post(app, sent);
    expect(response.type).toBe('application/json');
    expect(JSON.parse(response.bytes.toString())).toMatchObject({
      statusCode: status,
      message,
      success: false,
    });
    expect(response.status).toBe(status);
    expect(app.seen.bodies).toEqual([]);
    expect(app.budget.used).toBe(0);
  });

  test('passes user data unchanged', async () => {
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
    ['JSON without Content-Type', { body: ' {}', type: '' }, 'application/json'],
    ['protobuf', { body: '\n\0', type: PROTOBUF }, PROTOBUF],
    ['protobuf by another name', { body: '\n\0', type: 'application/protobuf' }, PROTOBUF],
    ['an empty protobuf body', { body: '', type: PROTOBUF }, PROTOBUF],
    [
      'JSON of an attribute 60 levels deep',
      { body: `${'{"arrayValue":{"values":['.repeat(60)}${']}}'.repeat(60)}` },
      'application/json',
    ],
  ])('accepts %s and responds in its encoding', async (_, sent, type) => {
    for (const alias of [path, '/v1/traces']) {
      const app = sampleApp();
      const response = await post(app, { ...sent, path: alias });
      expect(response).toMatchObject({
        status: 200,
        type,
        bytes: Buffer.from(type === PROTOBUF ? '' : '{}'),
      });
      expect(app.seen.raw).toMatchObject([{ contentType: type }]);
      expect(app.budget.used).toBe(0);
    }
  });

  test('accepts zstd, and names what it accepts when the encoding is another one', async () => {
    const app = sampleApp();
    const zstd = { 'Content-Encoding': 'zstd' };
    expect((await post(app, { path, headers: zstd, body: rawFrame(Buffer.from('{"a":1}')) })).status).toBe(
      200,
    );
    const other = await post(app, { path, headers: { 'Content-Encoding': 'br' } });
    expect([other.status, other.headers['accept-encoding']]).toEqual([415, 'gzip, deflate, zstd']);
    const type = await post(app, { path, type: 'text/plain' });
    expect([type.status, type.headers['accept-encoding']]).toEqual([415, undefined]);
  });

  test('accepts gzip without Content-Encoding', async () => {
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
      'an undetectable type',
      { type: '', body: 'x' },
      415,
      3,
      'Content-Type must be application/json or application/x-protobuf',
    ],
    [
      'brotli',
      { headers: { 'Content-Encoding': 'br' } },
      415,
      3,
      'Content-Encoding must be gzip, deflate, zstd or identity',
    ],
    ['empty JSON', { body: '' }, 400, 3, 'body is empty'],
    ['what the operation rejects', { body: '{"refuse":1}' }, 400, 3, 'body is not OTLP'],
    [
      'a wrong key',
      { headers: { Authorization: 'Bearer wrong' } },
      401,
      16,
      'the key is unknown, expired or revoked',
    ],
  ])('rejects %s with a google.rpc code in JSON', async (_, ...[sent, statusCode, code, message]) => {
    const response = await post(sampleApp(), { path, ...sent });
    expect(response.type).toBe('application/json');
    expect(response.status).toBe(statusCode);
    expect(JSON.parse(response.bytes.toString())).toEqual({
      code,
      requestId: response.headers['x-request-id'],
      message,
      statusCode,
      success: false,
      errorCode: expect.any(String) as string,
    });
  });

  test('rejects protobuf in protobuf', async () => {
    const response = await post(sampleApp(), {
      path,
      type: PROTOBUF,
      headers: { Authorization: 'Bearer wrong' },
    });
    expect(response).toMatchObject({
      status: 401,
      type: PROTOBUF,
    });
    expect(decodeMessage('Status', response.bytes)).toMatchObject({
      code: 16,
      message: 'the key is unknown, expired or revoked',
    });
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  test('responds 503 to an internal error, because exporters drop data on 500', async () => {
    const response = await post(sampleApp(), { path, body: '{"break":1}' });
    expect(response.status).toBe(503);
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(response.bytes.toString()).not.toContain('stays inside');
  });
});

describe('any request', () => {
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

  test('gets success or a client error as JSON and releases the budget', async () => {
    const app = sampleApp();
    const listening = await listen({ listener: app.listener, host: '127.0.0.1', port: 0 });
    await fc.assert(
      fc.asyncProperty(sent, async ({ path, method, type, coding, body }) => {
        const headers = { ...KEY, 'Content-Type': type, 'Content-Encoding': coding };
        const response = await fetch(`http://127.0.0.1:${listening.port}${path}`, {
          method,
          headers,
          body: method === 'GET' ? undefined : Buffer.from(body),
        });
        const text = await response.text();
        expect(response.status).toBeLessThan(500);
        if (response.headers.get('content-type') === 'application/json')
          expect(JSON.parse(text)).toBeDefined();
        expect(app.budget.used).toBe(0);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { seed: Date.now(), numRuns: 400 },
    );
    await listening.close(1000);
  });
});
