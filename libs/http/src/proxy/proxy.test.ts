import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { createEvent, createProject, listProjects } from '@assay/contracts';
import { listen, type Listening } from '../server/listen.js';
import { createProxy, type RequestProxy } from './proxy.js';
import { ADMIN, KEY, sampleApp, type SampleApp } from '../../test/sample-app.js';

const EVENT = { event_type: 'model', inputs: { text: 'ü'.repeat(100) } };

describe('a route that another service owns', () => {
  let owner: SampleApp;
  let owning: Listening;
  let passOn: RequestProxy;
  let front: SampleApp;

  beforeAll(async () => {
    owner = sampleApp({
      internalToken: 'between us',
      authenticator: { authenticate: () => Promise.resolve(undefined) },
    });
    owning = await listen({ listener: owner.listener, host: '127.0.0.1', port: 0 });
    passOn = createProxy({ baseUrl: `http://127.0.0.1:${owning.port}`, internalToken: 'between us' });
    front = sampleApp({ bindings: [passOn.bind(createEvent), passOn.bind(listProjects)] });
  });

  afterAll(async () => {
    passOn.close();
    await owning.close(1000);
  });

  test('is answered by it, for the caller of the key', async () => {
    const answer = await request(front.listener)
      .post('/v1/events')
      .set(KEY)
      .set('X-Request-Id', 'r-7')
      .send(EVENT);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'assay-freshness': 'current', 'x-request-id': 'r-7' });
    expect(owner.seen.bodies).toEqual([EVENT]);
    expect(owner.seen.contexts[0]).toMatchObject({
      caller: { projectId: 'p1', projectName: 'Überprüfung', keyId: 'k1', scope: 'project' },
    });
    expect(owner.seen.contexts[0]?.headers.authorization).toBeUndefined();
    expect(front.seen.bodies).toEqual([]);
  });

  test('takes compressed bodies as they are, and keeps the query', async () => {
    const body = gzipSync(JSON.stringify(EVENT));
    const call = request(front.listener)
      .post('/v1/events')
      .set(KEY)
      .set('Content-Encoding', 'gzip')
      .set('Content-Type', 'application/json');
    expect((await call.serialize((raw: Buffer) => raw as never).send(body)).status).toBe(200);
    expect((await request(front.listener).get('/projects?name=a%20b').set(KEY)).status).toBe(200);
    expect(owner.seen.bodies.at(-1)).toEqual({ name: 'a b' });
  });

  test('passes refusals back, and refuses a wrong key itself', async () => {
    const refused = await request(front.listener).post('/v1/events').set(KEY).send({});
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ message: 'event_type is required' });
    expect(
      (await request(front.listener).post('/v1/events').set('Authorization', 'Bearer wrong').send({})).status,
    ).toBe(401);
  });

  test('never passes on who a client claims to be', async () => {
    const principal = encodeURIComponent(JSON.stringify({ administrator: true }));
    const answer = await request(front.listener)
      .get('/v1/projects')
      .set(KEY)
      .set('assay-principal', principal);
    expect(answer.body).toMatchObject([{ id: 'p1' }]);
  });
});

describe('a body that the other service refuses while it is being sent', () => {
  test('is refused here, too, and both go on', async () => {
    const options = { internalToken: 't', maxBodyBytes: 100_000 };
    const owning = await listen({ listener: sampleApp(options).listener, host: '127.0.0.1', port: 0 });
    const passOn = createProxy({ baseUrl: `http://127.0.0.1:${owning.port}`, internalToken: 't' });
    const { listener } = sampleApp({ bindings: [passOn.bind(createEvent)] });
    for (let round = 0; round < 3; round += 1) {
      const large = { ...EVENT, outputs: { text: 'x'.repeat(5_000_000) } };
      expect([413, 503]).toContain((await request(listener).post('/v1/events').set(KEY).send(large)).status);
      expect((await request(listener).post('/v1/events').set(KEY).send(EVENT)).status).toBe(200);
    }
    passOn.close();
    await owning.close(1000);
  });
});

const JSON_BODY = { 'content-type': 'application/json' };

describe('what the other service can do to a client', () => {
  test('is not to set cookies or policies, nor to send it or its key elsewhere', async () => {
    const reached: (string | undefined)[] = [];
    const elsewhere = await listen({
      listener: (asked) => void reached.push(asked.url),
      host: '127.0.0.1',
      port: 0,
    });
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    const other = await listen({
      listener: (asked, response) => {
        const policies = {
          'set-cookie': 'a=b',
          'content-security-policy': 'x',
          'access-control-allow-origin': '*',
          location,
        };
        const hints = { deprecation: '@1', 'link-template': '"/v1/projects"' };
        response
          .writeHead(asked.method === 'GET' ? 200 : 307, { ...policies, ...hints, ...JSON_BODY })
          .end('[]');
      },
      host: '127.0.0.1',
      port: 0,
    });
    const passOn = createProxy({ baseUrl: `http://127.0.0.1:${other.port}`, internalToken: 't' });
    const { listener } = sampleApp({ bindings: [passOn.bind(listProjects), passOn.bind(createProject)] });
    const answer = await request(listener).get('/v1/projects').set(KEY);
    expect([answer.status, answer.body]).toEqual([200, []]);
    expect(answer.headers).toMatchObject({ deprecation: '@1', 'link-template': '"/v1/projects"' });
    const refused = await request(listener).post('/v1/projects').set(ADMIN).send({ name: 'n' });
    expect(refused.status).toBe(503);
    for (const { headers } of [answer, refused]) {
      for (const name of [
        'set-cookie',
        'content-security-policy',
        'access-control-allow-origin',
        'location',
      ]) {
        expect(headers[name]).toBeUndefined();
      }
    }
    expect(reached).toEqual([]);
    passOn.close();
    await other.close(1000);
    await elsewhere.close(1000);
  });
});

describe('what the other service is told', () => {
  test('is whose request it is, from where, and for administration the key that was sent', async () => {
    const seen: Record<string, unknown>[] = [];
    const other = await listen({
      listener: (asked, response) => {
        seen.push(asked.headers);
        response.writeHead(200, JSON_BODY).end('[]');
      },
      host: '127.0.0.1',
      port: 0,
    });
    const passOn = createProxy({ baseUrl: `http://127.0.0.1:${other.port}`, internalToken: 't' });
    const bindings = [passOn.bind(listProjects), passOn.bind(createEvent)];
    const { listener } = sampleApp({ bindings, trustedProxies: ['127.0.0.1', '::1'] });
    const forwarded = { 'x-forwarded-for': '203.0.113.9', 'assay-client-address': '6.6.6.6' };
    await request(listener).get('/v1/projects').set(KEY).set(forwarded);
    await request(listener).post('/v1/events').set(KEY).set(forwarded).send(EVENT);
    expect(seen.map((headers) => headers['assay-client-address'])).toEqual(['203.0.113.9', '203.0.113.9']);
    expect(seen.map(({ authorization }) => authorization)).toEqual([KEY.authorization, undefined]);
    passOn.close();
    await other.close(1000);
  });
});

describe('while the other service', () => {
  async function answerFrom(server: Server | undefined): Promise<request.Response> {
    const port = server
      ? await new Promise<number>((resolve) =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
        )
      : 1;
    const passOn = createProxy({ baseUrl: `http://127.0.0.1:${port}`, internalToken: 't', timeoutMs: 100 });
    try {
      return await request(sampleApp({ bindings: [passOn.bind(listProjects)] }).listener)
        .get('/v1/projects')
        .set(KEY);
    } finally {
      passOn.close();
      server?.closeAllConnections();
      server?.close();
    }
  }

  test.each([
    ['is away', undefined],
    ['says nothing', createServer(() => undefined)],
    ['breaks off', createServer((incoming) => void incoming.socket.destroy())],
    [
      'sends a page',
      createServer(
        (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<script>'),
      ),
    ],
    [
      'redirects',
      createServer(
        (_, response) => void response.writeHead(307, { location: '/elsewhere', ...JSON_BODY }).end('{}'),
      ),
    ],
    [
      'says that nothing has changed',
      createServer((_, response) => void response.writeHead(304, JSON_BODY).end()),
    ],
  ])('%s, the answer is 503', async (_, server) => {
    const answer = await answerFrom(server);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ errorCode: 'UNAVAILABLE' });
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
  });
});
