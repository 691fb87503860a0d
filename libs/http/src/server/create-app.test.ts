import request from 'supertest';
import { ADMIN, EVENT_ID, INGEST_KEY, KEY, sampleApp } from '../../test/sample-app.js';

const EVENT = { event_type: 'model', inputs: { q: 1 } };

describe('an answer', () => {
  test('is what the operation returned, with its headers and the id of the request', async () => {
    const { listener, seen } = sampleApp();
    const answer = await request(listener)
      .post('/v1/events')
      .set(KEY)
      .set('X-Request-Id', 'r-1')
      .set('Prefer', 'wait=3')
      .send(EVENT);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, event_id: EVENT_ID, session_id: EVENT_ID });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'assay-freshness': 'current',
      'x-request-id': 'r-1',
    });
    expect(answer.headers['x-powered-by']).toBeUndefined();
    expect(seen.bodies).toEqual([EVENT]);
    expect(seen.contexts[0]).toMatchObject({ requestId: 'r-1', waitMs: 3000, caller: { projectId: 'p1' } });
  });

  test('does not repeat an odd request id', async () => {
    const answer = await request(sampleApp().listener).get('/v1/nothing').set('X-Request-Id', 'a b<script>');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is the same with a query or a slash behind the path, and on an alias', async () => {
    const { listener } = sampleApp();
    for (const path of ['/v1/events?x=1', '/v1/events/']) {
      expect((await request(listener).post(path).set(KEY).send(EVENT)).status).toBe(200);
    }
    expect((await request(listener).get('/projects').set(KEY)).body).toMatchObject([{ id: 'p1' }]);
  });

  test('of an unknown route is 404, of another method 405 with what is allowed', async () => {
    const { listener } = sampleApp();
    const unknown = await request(listener).get('/v1/nothing').set('X-Request-Id', 'r-3');
    expect(unknown.status).toBe(404);
    expect(unknown.headers['x-request-id']).toBe('r-3');
    expect(unknown.body).toEqual({
      statusCode: 404,
      message: 'there is no such route',
      success: false,
      errorCode: 'NOT_FOUND',
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

  test('to a failure that nobody foresaw is 500 without its text, and is logged', async () => {
    const { listener, seen } = sampleApp();
    const answer = await request(listener)
      .post('/v1/events')
      .set(KEY)
      .set('X-Request-Id', 'r-2')
      .send({ ...EVENT, event_name: 'break' });
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('stays inside');
    expect(answer.body).toMatchObject({ errorCode: 'INTERNAL_ERROR', success: false });
    expect(seen.log.join()).toContain('r-2');
  });
});

describe('who may call', () => {
  test.each([undefined, '', 'Bearer', 'Basic abc', 'Bearer ', 'Bearer wrong', 'Bearer a b'])(
    'authorization %j is 401 with a challenge',
    async (value) => {
      const { listener, seen } = sampleApp();
      const call = request(listener).post('/v1/events').send(EVENT);
      const answer = await (value === undefined ? call : call.set('Authorization', value));
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.body).toMatchObject({ statusCode: 401, errorCode: 'UNAUTHORIZED', success: false });
      expect(seen.bodies).toEqual([]);
    },
  );

  test('the scheme is read in any case', async () => {
    const answer = await request(sampleApp().listener)
      .post('/v1/events')
      .set('Authorization', 'bEaReR project-key')
      .send(EVENT);
    expect(answer.status).toBe(200);
  });

  test('a percent-encoded header gets a message that helps', async () => {
    const answer = await request(sampleApp().listener)
      .post('/v1/events')
      .set('Authorization', 'Bearer%20project-key')
      .send(EVENT);
    expect(answer.body).toMatchObject({
      statusCode: 401,
      message: expect.stringContaining('percent-encoded') as string,
    });
  });

  test('a key that may only ingest sends events and reads nothing', async () => {
    const { listener } = sampleApp();
    expect((await request(listener).post('/v1/events').set(INGEST_KEY).send(EVENT)).status).toBe(200);
    expect((await request(listener).get(`/v1/events/${EVENT_ID}`).set(INGEST_KEY)).status).toBe(403);
    expect((await request(listener).get('/v1/projects').set(INGEST_KEY)).status).toBe(403);
  });

  test('the administrator manages projects and sends no events', async () => {
    const { listener } = sampleApp();
    expect((await request(listener).post('/v1/projects').set(ADMIN).send({ name: 'n' })).body).toMatchObject({
      name: 'n',
    });
    expect((await request(listener).get('/v1/projects').set(ADMIN)).body).toMatchObject([{ id: 'all' }]);
    expect((await request(listener).post('/v1/events').set(ADMIN).send(EVENT)).status).toBe(403);
    expect((await request(listener).post('/v1/projects').set(KEY).send({ name: 'n' })).status).toBe(403);
  });

  test('nobody is the administrator when there is no token', async () => {
    const { listener } = sampleApp({ adminToken: undefined });
    expect((await request(listener).post('/v1/projects').set(ADMIN).send({ name: 'n' })).status).toBe(401);
  });

  test('503 while nobody knows who it is, so that the client sends it again', async () => {
    const answer = await request(sampleApp().listener)
      .post('/v1/events')
      .set('Authorization', 'Bearer key-of-the-outage')
      .send(EVENT);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  test('a client cannot name itself by the internal headers', async () => {
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
      const answer = await request(sampleApp().listener).put(`/v1/events/${id}`).set(KEY).send({});
      expect(answer.status).toBe(400);
      expect((answer.body as { message: string }).message).toContain(
        'event_id must be a valid UUID (expected format: ',
      );
    },
  );

  test('an id in capitals is an id', async () => {
    const answer = await request(sampleApp().listener)
      .put(`/v1/events/${EVENT_ID.toUpperCase()}`)
      .set(KEY)
      .send({});
    expect(answer.body).toEqual({ success: true, event_id: EVENT_ID.toUpperCase() });
  });

  test('bad percent-encoding is 400', async () => {
    for (const path of ['/v1/events/%zz', '/v1/events/%ff', '/v1/projects?name=%zz', '/v1/projects?%ff=1']) {
      const answer = await request(sampleApp().listener).get(path).set(KEY);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ message: expect.stringContaining('percent-encoded') as string });
    }
  });

  test.each([
    'a[b][c][d][e][f][g]=1',
    '__proto__[x]=1',
    'a[constructor]=1',
    'a[prototype][b]=1',
    '__proto__=1',
    'a%5B__proto__%5D=1',
  ])('the query %s is refused on a route that takes none, too', async (query) => {
    for (const path of ['/v1/projects', `/v1/events/${EVENT_ID}`]) {
      expect((await request(sampleApp().listener).get(`${path}?${query}`).set(KEY)).status).toBe(400);
    }
  });

  test('an answer of the operation that is an error has its status', async () => {
    const answer = await request(sampleApp().listener).get(`/v1/events/${EVENT_ID}`).set(KEY);
    expect(answer.body).toEqual({
      statusCode: 404,
      message: 'there is no such event',
      success: false,
      errorCode: 'NOT_FOUND',
    });
  });
});

describe('health and documentation', () => {
  test('are answered without a key', async () => {
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

  test('not ready names what does not work', async () => {
    const checks = { log: () => Promise.resolve(), store: () => Promise.reject(new Error('down')) };
    const answer = await request(sampleApp({ health: { checks } }).listener).get('/readyz');
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({ ready: false, draining: false, failing: ['store'] });
  });

  test('not ready while draining', async () => {
    const answer = await request(sampleApp({ health: { isDraining: () => true } }).listener).get('/readyz');
    expect(answer.status).toBe(503);
  });
});
