import { consoleApp } from '../../test/console-fixture.js';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import request from 'supertest';
import { createEvent, createMetric, createProject, listProjects } from '@assay/contracts';
import { listen, type ListeningServer } from '../server/listen.js';
import { createProxy, type RequestProxy } from './proxy.js';
import { acceptOtlpMetrics } from '../routing/otlp-metrics.js';
import { bind } from '../routing/bind.js';
import { ADMIN, INGEST_KEY, KEY, sampleApp, type SampleApp } from '../../test/sample-app.js';

const JSON_BODY = { 'content-type': 'application/json' };
const EVENT = { event_type: 'model', inputs: { text: 'ü'.repeat(100) } };

describe('a proxied route', () => {
  let owner: SampleApp;
  let owning: ListeningServer;
  let proxy: RequestProxy;
  let front: SampleApp;

  beforeAll(async () => {
    owner = sampleApp({
      internalToken: 'between us',
      authenticator: { authenticate: () => Promise.resolve(undefined) },
      bindings: [
        acceptOtlpMetrics(bind(createMetric, () => Promise.resolve({ inserted: true, metric_id: 'm' }))),
      ],
    });
    owning = await listen({ listener: owner.listener, host: '127.0.0.1', port: 0 });
    proxy = createProxy({ baseUrl: `http://127.0.0.1:${owning.port}`, internalToken: 'between us' });
    const routes = [createEvent, listProjects, createMetric];
    front = sampleApp({ bindings: routes.map((route) => proxy.bind(route)) });
  });

  afterAll(async () => {
    proxy.close();
    await owning.close(1000);
  });

  test('is handled by the upstream service for the caller of the key', async () => {
    const response = await request(front.listener)
      .post('/v1/events')
      .set(KEY)
      .set('X-Request-Id', 'r-7')
      .send(EVENT);
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({ 'assay-freshness': 'current', 'x-request-id': 'r-7' });
    expect(owner.seen.bodies).toEqual([EVENT]);
    expect(owner.seen.contexts[0]).toMatchObject({
      caller: { projectId: 'p1', projectName: 'Überprüfung', keyId: 'k1', scope: 'project' },
    });
    expect(owner.seen.contexts[0]?.headers.authorization).toBeUndefined();
    expect(front.seen.bodies).toEqual([]);
  });

  test('says that a request is an export of telemetry, and not what the client says of a trace', async () => {
    const response = await request(front.listener)
      .post('/v1/events')
      .set({
        ...KEY,
        'x-assay-telemetry': '1',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      })
      .send(EVENT);
    expect(response.status).toBe(200);
    expect(owner.seen.contexts.at(-1)?.headers).toMatchObject({ 'x-assay-telemetry': '1' });
    expect(owner.seen.contexts.at(-1)?.headers).not.toHaveProperty('traceparent');
  });

  test('forwards compressed bodies and the query unchanged', async () => {
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

  test('returns rejections of the upstream service and rejects a wrong key itself', async () => {
    const rejected = await request(front.listener).post('/v1/events').set(KEY).send({});
    expect(rejected.status).toBe(400);
    expect(rejected.body).toMatchObject({ message: 'event_type is required' });
    expect(
      (await request(front.listener).post('/v1/events').set('Authorization', 'Bearer wrong').send({})).status,
    ).toBe(401);
  });

  test('lets the upstream service decide by the body whether a key may call one of two routes', async () => {
    const send = (body: object) => request(front.listener).post('/v1/metrics').set(INGEST_KEY).send(body);
    expect((await send({ resourceMetrics: [] })).status).toBe(200);
    expect((await send({ name: 'helpful', type: 'LLM', criteria: 'is it?' })).status).toBe(403);
  });

  test('drops internal headers of the client', async () => {
    const principal = encodeURIComponent(JSON.stringify({ administrator: true }));
    const response = await request(front.listener)
      .get('/v1/projects')
      .set(KEY)
      .set('assay-principal', principal);
    expect(response.body).toMatchObject([{ id: 'p1' }]);
  });
});

describe('the headers of a proxied request', () => {
  test('are those that its routes read, and the idempotency key for ingestion only', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const owning = await listen({
      listener: (incoming, response) => {
        seen.push(incoming.headers);
        incoming.resume();
        response.setHeader('Content-Type', 'application/json').end('[]');
      },
      host: '127.0.0.1',
      port: 0,
    });
    const proxy = createProxy({ baseUrl: `http://127.0.0.1:${owning.port}`, internalToken: 't' });
    const { listener } = sampleApp({ bindings: [proxy.bind(createEvent), proxy.bind(listProjects)] });
    const dropped = [
      'baggage',
      'cookie',
      'traceparent',
      'user-agent',
      'x-forwarded-for',
      'x-user',
      'referer',
    ];
    const headers = { ...Object.fromEntries(dropped.map((name) => [name, 'a=secret'])), ...KEY };
    const kept = { 'idempotency-key': 'k', 'hh-client-language': 'python', prefer: 'wait=1' };
    await request(listener)
      .post('/v1/events')
      .set({ ...headers, ...kept })
      .send(EVENT);
    await request(listener)
      .get('/v1/projects')
      .set({ ...headers, ...kept });
    expect(seen[0]).toMatchObject({ ...kept, 'content-type': 'application/json' });
    expect(seen[1]).toMatchObject({ prefer: 'wait=1', 'hh-client-language': 'python' });
    expect(seen[1]).not.toHaveProperty('idempotency-key');
    for (const received of seen) expect(JSON.stringify(received)).not.toContain('secret');
    proxy.close();
    await owning.close(1000);
  });
});

describe('a body that the upstream service rejects while it is being sent', () => {
  test('is rejected by the proxy, and both services continue', async () => {
    const options = { internalToken: 't', maxBodyBytes: 100_000 };
    const owning = await listen({ listener: sampleApp(options).listener, host: '127.0.0.1', port: 0 });
    const proxy = createProxy({ baseUrl: `http://127.0.0.1:${owning.port}`, internalToken: 't' });
    const { listener } = sampleApp({ bindings: [proxy.bind(createEvent)] });
    for (let round = 0; round < 3; round += 1) {
      const large = { ...EVENT, outputs: { text: 'x'.repeat(5_000_000) } };
      expect([413, 503]).toContain((await request(listener).post('/v1/events').set(KEY).send(large)).status);
      expect((await request(listener).post('/v1/events').set(KEY).send(EVENT)).status).toBe(200);
    }
    proxy.close();
    await owning.close(1000);
  });
});

describe('a connection whose request the upstream service rejected without reading the body', () => {
  test('serves its next request', async () => {
    // More than the buffers between the services hold.
    const length = 20_000_000;
    const unread: Socket[] = [];
    const other = await listen({
      listener: (incoming, response) => {
        const isRead = incoming.method === 'GET';
        const headers = { ...JSON_BODY, 'content-length': 2, connection: 'close' };
        response.writeHead(isRead ? 200 : 503, headers).write('[]');
        if (isRead) response.end();
        else unread.push(incoming.socket);
      },
      host: '127.0.0.1',
      port: 0,
    });
    const proxy = createProxy({ baseUrl: `http://127.0.0.1:${other.port}`, internalToken: 't' });
    const { listener } = sampleApp({ bindings: [proxy.bind(createEvent), proxy.bind(listProjects)] });
    const front = await listen({ listener, host: '127.0.0.1', port: 0 });
    const socket = connect(front.port, '127.0.0.1');
    const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: ${KEY.authorization}\r\n`;
    socket.write(
      `POST /v1/events ${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    socket.write('x'.repeat(length));
    await once(socket, 'readable');
    expect(String(socket.read())).toMatch(/^HTTP\/1.1 503 /);
    for (const upstream of unread) upstream.destroy();
    socket.write(`GET /v1/projects ${head}Connection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
    proxy.close();
    await front.close(1000);
    await other.close(1000);
  });
});

describe('a response of the upstream service', () => {
  test('cannot set cookies or policies or redirect the client', async () => {
    const reached: (string | undefined)[] = [];
    const elsewhere = await listen({
      listener: (incoming) => void reached.push(incoming.url),
      host: '127.0.0.1',
      port: 0,
    });
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    const other = await listen({
      listener: (incoming, response) => {
        const policies = {
          'set-cookie': 'a=b',
          'content-security-policy': 'x',
          'access-control-allow-origin': '*',
          location,
        };
        const hints = { deprecation: '@1', 'link-template': '"/v1/projects"' };
        response
          .writeHead(incoming.method === 'GET' ? 200 : 307, { ...policies, ...hints, ...JSON_BODY })
          .end('[]');
      },
      host: '127.0.0.1',
      port: 0,
    });
    const proxy = createProxy({ baseUrl: `http://127.0.0.1:${other.port}`, internalToken: 't' });
    const { listener } = sampleApp({ bindings: [proxy.bind(listProjects), proxy.bind(createProject)] });
    const response = await request(listener).get('/v1/projects').set(KEY);
    expect([response.status, response.body]).toEqual([200, []]);
    expect(response.headers).toMatchObject({ deprecation: '@1', 'link-template': '"/v1/projects"' });
    const rejected = await request(listener).post('/v1/projects').set(ADMIN).send({ name: 'n' });
    expect(rejected.status).toBe(503);
    for (const { headers } of [response, rejected]) {
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
    proxy.close();
    await other.close(1000);
    await elsewhere.close(1000);
  });
});

describe('a request to the upstream service', () => {
  test('states the client address and, on administrative routes, the credential of the client', async () => {
    const seen: Record<string, unknown>[] = [];
    const other = await listen({
      listener: (incoming, response) => {
        seen.push(incoming.headers);
        response.writeHead(200, JSON_BODY).end('[]');
      },
      host: '127.0.0.1',
      port: 0,
    });
    const proxy = createProxy({ baseUrl: `http://127.0.0.1:${other.port}`, internalToken: 't' });
    const bindings = [proxy.bind(listProjects), proxy.bind(createEvent)];
    const { listener } = consoleApp({
      ...{ bindings, trustedProxies: ['127.0.0.1', '::1'], identityHeader: 'x-user' },
    });
    const forwarded = {
      ...{ 'x-forwarded-for': '203.0.113.9', 'assay-client-address': '6.6.6.6' },
      ...{ 'x-user': 'ada', 'assay-client-identity': 'eve' },
    };
    await request(listener).get('/v1/projects').set(KEY).set(forwarded);
    await request(listener).post('/v1/events').set(KEY).set(forwarded).send(EVENT);
    expect(seen.map((headers) => headers['assay-client-address'])).toEqual(['203.0.113.9', '203.0.113.9']);
    expect(seen.map((headers) => headers['assay-client-identity'])).toEqual(['ada', 'ada']);
    expect(seen.map(({ authorization }) => authorization)).toEqual([KEY.authorization, undefined]);
    proxy.close();
    await other.close(1000);
  });
});

describe('when the upstream service', () => {
  async function responseFrom(server: Server | undefined): Promise<request.Response> {
    const port = server
      ? await new Promise<number>((resolve) =>
          server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
        )
      : 1;
    const proxy = createProxy({ baseUrl: `http://127.0.0.1:${port}`, internalToken: 't', timeoutMs: 100 });
    try {
      return await request(sampleApp({ bindings: [proxy.bind(listProjects)] }).listener)
        .get('/v1/projects')
        .set(KEY);
    } finally {
      proxy.close();
      server?.closeAllConnections();
      server?.close();
    }
  }

  test.each([
    ['is unavailable', undefined],
    ['does not respond', createServer(() => undefined)],
    ['closes the connection', createServer((incoming) => void incoming.socket.destroy())],
    [
      'sends HTML',
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
    ['responds 304', createServer((_, response) => void response.writeHead(304, JSON_BODY).end())],
  ])('%s, the proxy responds 503', async (_, server) => {
    const response = await responseFrom(server);
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ errorCode: 'UNAVAILABLE' });
    expect(response.headers['retry-after']).toMatch(/^\d+$/);
  });
});
