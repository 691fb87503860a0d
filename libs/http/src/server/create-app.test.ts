import request, { type Test } from 'supertest';
import { createEvent, exportTraces } from '@assay/contracts';
import { AppError } from '@assay/errors';
import { bind, bindRaw } from '../routing/bind.js';
import { ADMIN, EVENT_ID, INGEST_KEY, KEY, sampleApp } from '../../test/sample-app.js';

const EVENT = { event_type: 'model', inputs: { q: 1 } };

describe('a response', () => {
  test('contains what the operation returned, its headers and the request id', async () => {
    const { listener, seen } = sampleApp();
    const response = await request(listener)
      .post('/v1/events')
      .set(KEY)
      .set('X-Request-Id', 'r-1')
      .set('Prefer', 'wait=3')
      .send(EVENT);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ success: true, event_id: EVENT_ID, session_id: EVENT_ID });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'assay-freshness': 'current',
      'x-request-id': 'r-1',
    });
    expect(response.headers['x-powered-by']).toBeUndefined();
    expect(seen.bodies).toEqual([EVENT]);
    expect(seen.contexts[0]).toMatchObject({ requestId: 'r-1', waitMs: 3000, caller: { projectId: 'p1' } });
  });

  test('replaces an invalid request id', async () => {
    const response = await request(sampleApp().listener)
      .get('/v1/nothing')
      .set('X-Request-Id', 'a b<script>');
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is the same with a query, a trailing slash and on an alias', async () => {
    const { listener } = sampleApp();
    for (const path of ['/v1/events?x=1', '/v1/events/']) {
      expect((await request(listener).post(path).set(KEY).send(EVENT)).status).toBe(200);
    }
    expect((await request(listener).get('/projects').set(KEY)).body).toMatchObject([{ id: 'p1' }]);
  });

  test.each([
    `/v1/events/${EVENT_ID}`,
    `/v1/events/${EVENT_ID.toUpperCase()}`,
    `/events/${EVENT_ID}`,
    `/v1/events/${EVENT_ID}?x=1`,
    `/v1/events/${EVENT_ID}/`,
    `/v1/events/%30${EVENT_ID.slice(1)}`,
  ])('contains the id of the path %s', async (path) => {
    const { listener } = sampleApp();
    const response = await request(listener)
      .put(path)
      .set(KEY)
      .send({ metrics: { score: 1 } });
    expect(response.status).toBe(200);
    expect((response.body as { event_id: string }).event_id.toLowerCase()).toBe(EVENT_ID);
    const { status, headers } = await request(listener).post(path).set(KEY).send({});
    expect([status, headers.allow]).toEqual([405, 'PUT, GET']);
  });

  test('is 404 for an unknown route and 405 with Allow for another method', async () => {
    const { listener } = sampleApp();
    const unknown = await request(listener).get('/v1/nothing').set('X-Request-Id', 'r-3');
    expect(unknown.status).toBe(404);
    expect(unknown.headers['x-request-id']).toBe('r-3');
    expect(unknown.body).toEqual({
      statusCode: 404,
      message: 'there is no such route',
      success: false,
      errorCode: 'NOT_FOUND',
      requestId: 'r-3',
    });
    const other = await request(listener).patch('/v1/projects');
    expect(other.status).toBe(405);
    expect(other.headers.allow).toBe('GET, POST');
    expect(other.body).toMatchObject({ errorCode: 'METHOD_NOT_ALLOWED', success: false });
    expect((await request(listener).get('/opentelemetry/v1/traces')).status).toBe(405);
    const options = await request(listener).options('/v1/events');
    expect([options.status, options.headers['content-length'], options.headers.allow]).toEqual([
      204,
      undefined,
      'POST',
    ]);
    expect(options.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['GET', '/v1/events/schema', 404],
    ['POST', '/v1/events/page', 404],
    ['PATCH', '/v1/events/all_values', 404],
    ['OPTIONS', '/v1/events/schema', 404],
    ['GET', '/v1/events/batch', 405],
    ['GET', '/v1/events/123', 400],
    ['GET', '/v1/events/not-a-uuid', 400],
    ['POST', '/v1/events/123', 405],
  ])(
    'is for a word in place of an id that of an unknown route: %s %s is %d',
    async (method, path, status) => {
      const { listener } = sampleApp();
      const send = request(listener) as unknown as Record<string, (path: string) => Test>;
      const response = await send[method.toLowerCase()]!(path).set(KEY);
      expect([response.status, response.body]).toMatchObject([
        status,
        { statusCode: status, success: false },
      ]);
      if (status === 405) expect(response.headers.allow).toMatch(/^(POST|PUT, GET)$/);
    },
  );

  test('is 507 with Retry-After while the disk is full, and 503 on the OTLP route', async () => {
    const full = () => Promise.reject(new AppError('INSUFFICIENT_STORAGE', 'the disk is full'));
    const { listener } = sampleApp({ bindings: [bind(createEvent, full), bindRaw(exportTraces, full)] });
    const event = await request(listener).post('/v1/events').set(KEY).send(EVENT);
    expect(event.status).toBe(507);
    expect(event.headers['retry-after']).toMatch(/^[1-5]$/);
    const traces = await request(listener).post('/opentelemetry/v1/traces').set(KEY).send({});
    expect(traces.status).toBe(503);
    expect(traces.headers['retry-after']).toMatch(/^[1-5]$/);
    expect(traces.body).toMatchObject({ errorCode: 'UNAVAILABLE', message: 'the disk is full' });
  });

  test('is 500 without details for an unexpected failure, which is logged', async () => {
    const { listener, seen } = sampleApp();
    const response = await request(listener)
      .post('/v1/events')
      .set(KEY)
      .set('X-Request-Id', 'r-2')
      .send({ ...EVENT, event_name: 'break' });
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('stays inside');
    expect(response.body).toMatchObject({ errorCode: 'INTERNAL_ERROR', success: false, requestId: 'r-2' });
    expect(seen.log.join()).toContain('r-2');
  });

  test('has the id of its header in the body of every error, also of OTLP and of Express', async () => {
    const { listener } = sampleApp();
    for (const [method, path] of [
      ['post', '/v1/events'],
      ['post', '/opentelemetry/v1/traces'],
      ['get', '/v1/events/%zz'],
      ['get', '/v1/nothing'],
      ['patch', '/v1/projects'],
    ] as const) {
      const response = await request(listener)[method](path);
      const { requestId } = response.body as { requestId: string };
      expect([path, requestId]).toEqual([path, response.headers['x-request-id']]);
      expect(requestId).toMatch(/^[\w-]{36}$/);
    }
  });
});

describe('authentication', () => {
  test.each([undefined, '', 'Bearer', 'Basic abc', 'Bearer ', 'Bearer wrong', 'Bearer a b'])(
    'authorization %j is 401 with a challenge',
    async (value) => {
      const { listener, seen } = sampleApp();
      const call = request(listener).post('/v1/events').send(EVENT);
      const response = await (value === undefined ? call : call.set('Authorization', value));
      expect(response.status).toBe(401);
      expect(response.headers['www-authenticate']).toBe('Bearer');
      expect(response.body).toMatchObject({ statusCode: 401, errorCode: 'UNAUTHORIZED', success: false });
      expect(seen.bodies).toEqual([]);
    },
  );

  test('accepts the scheme in any case', async () => {
    const response = await request(sampleApp().listener)
      .post('/v1/events')
      .set('Authorization', 'bEaReR project-key')
      .send(EVENT);
    expect(response.status).toBe(200);
  });

  test('explains a percent-encoded Authorization header', async () => {
    const response = await request(sampleApp().listener)
      .post('/v1/events')
      .set('Authorization', 'Bearer%20project-key')
      .send(EVENT);
    expect(response.body).toMatchObject({
      statusCode: 401,
      message: expect.stringContaining('percent-encoded') as string,
    });
  });

  test('lets an ingest key send events and read nothing', async () => {
    const { listener } = sampleApp();
    expect((await request(listener).post('/v1/events').set(INGEST_KEY).send(EVENT)).status).toBe(200);
    expect((await request(listener).get(`/v1/events/${EVENT_ID}`).set(INGEST_KEY)).status).toBe(403);
    expect((await request(listener).get('/v1/projects').set(INGEST_KEY)).status).toBe(403);
  });

  test('lets the administrator manage projects and send no events', async () => {
    const { listener } = sampleApp();
    expect((await request(listener).post('/v1/projects').set(ADMIN).send({ name: 'n' })).body).toMatchObject({
      name: 'n',
    });
    expect((await request(listener).get('/v1/projects').set(ADMIN)).body).toMatchObject([{ id: 'all' }]);
    expect((await request(listener).post('/v1/events').set(ADMIN).send(EVENT)).status).toBe(403);
    expect((await request(listener).post('/v1/projects').set(KEY).send({ name: 'n' })).status).toBe(403);
  });

  test('accepts no administrator without an admin token', async () => {
    const { listener } = sampleApp({ adminToken: undefined });
    expect((await request(listener).post('/v1/projects').set(ADMIN).send({ name: 'n' })).status).toBe(401);
  });

  test('responds 503 while keys cannot be looked up, so that clients retry', async () => {
    const response = await request(sampleApp().listener)
      .post('/v1/events')
      .set('Authorization', 'Bearer key-of-the-outage')
      .send(EVENT);
    expect(response.status).toBe(503);
    expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  test('ignores internal headers of a client', async () => {
    const { listener } = sampleApp({ internalToken: 'secret' });
    const principal = encodeURIComponent(
      JSON.stringify({ projectId: 'p9', projectName: 'x', keyId: 'k', scope: 'project' }),
    );
    const guessed = await request(listener)
      .get('/v1/projects')
      .set('assay-internal-token', 'guess')
      .set('assay-principal', principal);
    expect(guessed.status).toBe(401);
    const named = await request(listener).get('/v1/projects').set(KEY).set('assay-principal', principal);
    expect(named.body).toMatchObject([{ id: 'p1' }]);
    const trusted = await request(listener)
      .get('/v1/projects')
      .set('assay-internal-token', 'secret')
      .set('assay-principal', principal);
    expect(trusted.body).toMatchObject([{ id: 'p9' }]);
  });
});

describe('path and query', () => {
  test.each(['..%2f..%2fetc%2fpasswd', '123', `${EVENT_ID}x`, '%00'])(
    'the id %s is refused with the form of an id',
    async (id) => {
      const response = await request(sampleApp().listener).put(`/v1/events/${id}`).set(KEY).send({});
      expect(response.status).toBe(400);
      expect((response.body as { message: string }).message).toContain(
        'event_id must be a valid UUID (expected format: ',
      );
    },
  );

  test('accepts an id in upper case', async () => {
    const response = await request(sampleApp().listener)
      .put(`/v1/events/${EVENT_ID.toUpperCase()}`)
      .set(KEY)
      .send({});
    expect(response.body).toEqual({ success: true, event_id: EVENT_ID.toUpperCase() });
  });

  test('responds 400 to invalid percent-encoding', async () => {
    for (const path of ['/v1/events/%zz', '/v1/events/%ff', '/v1/projects?name=%zz', '/v1/projects?%ff=1']) {
      const response = await request(sampleApp().listener).get(path).set(KEY);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ message: expect.stringContaining('percent-encoded') as string });
    }
  });

  test.each([
    'a[b][c][d][e][f][g]=1',
    '__proto__[x]=1',
    'a[constructor]=1',
    'a[prototype][b]=1',
    '__proto__=1',
    'a%5B__proto__%5D=1',
  ])('rejects the query %s on a route without query parameters', async (query) => {
    for (const path of ['/v1/projects', `/v1/events/${EVENT_ID}`]) {
      expect((await request(sampleApp().listener).get(`${path}?${query}`).set(KEY)).status).toBe(400);
    }
  });

  test('uses the status of an error of the operation', async () => {
    const get = request(sampleApp().listener).get(`/v1/events/${EVENT_ID}`);
    const response = await get.set(KEY).set('X-Request-Id', 'r-4');
    expect(response.body).toEqual({
      statusCode: 404,
      message: 'there is no such event',
      success: false,
      errorCode: 'NOT_FOUND',
      requestId: 'r-4',
    });
  });
});

describe('the version', () => {
  test('is served without a key, with nothing besides version and commit', async () => {
    const product = { version: '1.2.3', commit: 'abc', secret: 'x' };
    const response = await request(sampleApp({ product }).listener).get('/version');
    expect([response.status, response.body]).toEqual([200, { version: '1.2.3', commit: 'abc' }]);
  });
});

describe('the log at the level debug', () => {
  test('has a line for every request, with its id, operation, status and error code', async () => {
    const lines: unknown[] = [];
    const ignore = () => undefined;
    const debug = (phrase: string, fields?: object) => void lines.push([phrase, fields]);
    const { listener } = sampleApp({ logger: { error: ignore, warn: ignore, info: ignore, debug } });
    await request(listener).post('/v1/events').set(KEY).set('X-Request-Id', 'r-5').send(EVENT);
    await request(listener).get(`/v1/events/${EVENT_ID}`).set('X-Request-Id', 'r-6');
    const line = { projectId: 'p1', operation: 'createEvent', status: 200, requestId: 'r-5' };
    const refused = {
      projectId: '',
      operation: 'getEvent',
      status: 401,
      requestId: 'r-6',
      code: 'UNAUTHORIZED',
    };
    expect(lines).toEqual([
      ['request handled', expect.objectContaining({ ...line, durationMs: expect.any(Number) as number })],
      ['request handled', expect.objectContaining(refused)],
    ]);
  });
});

describe('health and documentation', () => {
  test('need no key', async () => {
    const { listener } = sampleApp({
      openApi: { version: '1.2.3' },
      health: { checks: { log: () => Promise.resolve() } },
    });
    for (const path of ['/healthz', '/health']) {
      const alive = await request(listener).get(path).set('X-Request-Id', 'probe-1');
      expect([alive.body, alive.headers['x-request-id']]).toEqual([{ status: 'ok' }, 'probe-1']);
    }
    expect((await request(listener).get('/readyz')).body).toEqual({
      ready: true,
      draining: false,
      failing: [],
    });
    expect((await request(listener).get('/openapi.json')).body).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.2.3' },
    });
  });

  test('compress the document of the API for clients that accept it', async () => {
    const { listener } = sampleApp({ openApi: { version: '1.2.3' } });
    const [plain, ...compressed] = await Promise.all(
      ['identity', 'gzip', 'gzip'].map((coding) =>
        request(listener).get('/openapi.json').set('Accept-Encoding', coding),
      ),
    );
    expect([plain?.headers['content-encoding'], plain?.headers['vary']]).toEqual([
      undefined,
      'Accept-Encoding',
    ]);
    for (const { headers, body } of compressed) {
      expect([headers['content-encoding'], headers['vary']]).toEqual(['gzip', 'Accept-Encoding']);
      expect(Number(headers['content-length'])).toBeLessThan(Number(plain?.headers['content-length']) / 3);
      expect(body).toEqual(plain?.body);
    }
  });

  test('names the failing checks when not ready', async () => {
    const checks = { log: () => Promise.resolve(), store: () => Promise.reject(new Error('down')) };
    const response = await request(sampleApp({ health: { checks } }).listener).get('/readyz');
    expect(response.status).toBe(503);
    expect(response.body).toEqual({ ready: false, draining: false, failing: ['store'] });
  });

  test('are not ready while draining', async () => {
    const response = await request(sampleApp({ health: { isDraining: () => true } }).listener).get('/readyz');
    expect(response.status).toBe(503);
  });
});
