import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { Agent, get, request as httpRequest } from 'node:http';
import { bind } from '../routing/bind.js';
import { createEvent } from '@assay/contracts';
import { listen, type ListeningServer, type ListenTimeouts } from './listen.js';
import { EVENT_ID, sampleApp, type SampleApp } from '../../test/sample-app.js';

const QUICK: ListenTimeouts = { headersMs: 300, maxLagMs: 300, checkMs: 50 };
const HEAD =
  'POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer project-key\r\nContent-Type: application/json\r\n';
const EVENT = JSON.stringify({ event_type: 'model', inputs: {} });

const opened: ListeningServer[] = [];
afterEach(() => Promise.all(opened.splice(0).map((listening) => listening.close(0))));

async function start(app: SampleApp = sampleApp(), timeouts?: ListenTimeouts): Promise<ListeningServer> {
  const listening = await listen({ listener: app.listener, host: '127.0.0.1', port: 0, timeouts });
  opened.push(listening);
  return listening;
}

/** Opens a connection. `response` resolves with all received bytes when the connection is closed. */
async function dial({ port }: ListeningServer): Promise<{ socket: Socket; response: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const response = new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
  return { socket, response };
}

async function exchange(listening: ListeningServer, ...chunks: (string | Buffer)[]): Promise<string> {
  const { socket, response } = await dial(listening);
  for (const chunk of chunks) socket.write(chunk);
  return response;
}

function requestIdOf(response: string): string {
  return /^x-request-id: ([\w-]{36})\r$/im.exec(response)?.[1] ?? 'none';
}

function bodyOf(response: string): unknown {
  return JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4));
}

async function statusOf({ port }: ListeningServer): Promise<number | undefined> {
  const [response] = (await once(get({ port, path: '/healthz', agent: false }), 'response')) as [
    { statusCode?: number; resume(): void },
  ];
  response.resume();
  return response.statusCode;
}

describe('errors of the HTTP parser are JSON', () => {
  test('a stalled body is 408, other requests continue, and the budget is released', async () => {
    const app = sampleApp();
    const listening = await start(app, QUICK);
    const response = exchange(listening, `${HEAD}Content-Length: 1000\r\n\r\n`, '0123456789');
    expect(await statusOf(listening)).toBe(200);
    expect(await response).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(bodyOf(await response)).toEqual({
      statusCode: 408,
      message: 'the request took too long to arrive',
      success: false,
      errorCode: 'REQUEST_TIMEOUT',
      requestId: requestIdOf(await response),
    });
    expect(app.budget.used).toBe(0);
    expect(app.seen.bodies).toEqual([]);
  });

  test('a stalled compressed body is 408', async () => {
    const app = sampleApp();
    const response = exchange(
      await start(app, QUICK),
      `${HEAD}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`,
      '5\r\n',
      gzipSync(EVENT).subarray(0, 5),
      '\r\n',
    );
    expect(await response).toMatch(/^HTTP\/1.1 408 /);
    expect(app.budget.used).toBe(0);
  });

  test('stalled headers are 408', async () => {
    expect(await exchange(await start(undefined, QUICK), 'GET / HTTP/1.1\r\nHost')).toMatch(
      /^HTTP\/1.1 408 /,
    );
  });

  test('invalid HTTP is 400', async () => {
    const response = await exchange(await start(), 'NONSENSE\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(bodyOf(response)).toEqual({
      statusCode: 400,
      message: 'the request is not valid HTTP',
      success: false,
      errorCode: 'VALIDATION_ERROR',
      requestId: requestIdOf(response),
    });
  });

  test('an unknown expectation is ignored', async () => {
    const app = sampleApp();
    const rest = `Expect: a-miracle\r\nConnection: close\r\nContent-Length: ${EVENT.length}\r\n\r\n${EVENT}`;
    expect(await exchange(await start(app), `${HEAD}${rest}`)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(app.seen.bodies).toHaveLength(1);
  });

  test('Content-Length together with chunked encoding (request smuggling) is 400', async () => {
    expect(
      await exchange(
        await start(),
        `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 400 /);
  });

  test('headers over the limit are 431', async () => {
    const response = await exchange(
      await start(),
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1.1 431 /);
    expect(bodyOf(response)).toMatchObject({ errorCode: 'HEADERS_TOO_LARGE' });
  });
});

describe('a client that is still sending can read an early rejection', () => {
  const chunk = Buffer.alloc(1_000_000, 0x61);
  const sent = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);

  test('60 MB in chunks is 413 after 50 MB', async () => {
    const app = sampleApp();
    const { socket, response } = await dial(await start(app));
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    for (let count = 0; count < 60 && socket.writable; count += 1) socket.write(sent);
    expect(bodyOf(await response)).toMatchObject({
      statusCode: 413,
      message: 'body must not exceed 50 MB after decompression',
    });
    expect(app.budget.used).toBe(0);
  });

  test('60 MB by Content-Length is 413 before the first byte', async () => {
    const response = await exchange(await start(), `${HEAD}Content-Length: 60000000\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1.1 413 .*\r\n/);
    expect(response).toMatch(/\r\nConnection: close\r\n/i);
  });

  test('a request without a key is 401', async () => {
    const { socket, response } = await dial(await start());
    socket.write('POST /v1/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let count = 0; count < 5; count += 1) socket.write(sent);
    expect(await response).toMatch(/^HTTP\/1.1 401 /);
  });

  test('Expect: 100-continue gets the rejection or 100 Continue', async () => {
    const listening = await start();
    const expecting = `Expect: 100-continue\r\nContent-Length: ${EVENT.length}\r\n`;
    expect(await exchange(listening, `POST /v1/events HTTP/1.1\r\nHost: x\r\n${expecting}\r\n`)).toMatch(
      /^HTTP\/1.1 401 /,
    );
    const { socket, response } = await dial(listening);
    socket.write(`${HEAD}Connection: close\r\n${expecting}\r\n`);
    await once(socket, 'data');
    socket.write(EVENT);
    expect(await response).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
  });

  test('a small unread body leaves the connection open', async () => {
    const refused = `POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: ${EVENT.length}\r\n\r\n${EVENT}`;
    const responses = await exchange(
      await start(),
      refused,
      refused,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(responses.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401', 'HTTP/1.1 200']);
  });
});

describe('close', () => {
  function blockedApp() {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let begun: () => void = () => undefined;
    const beginning = new Promise<void>((resolve) => (begun = resolve));
    const signals: AbortSignal[] = [];
    const operation = bind(createEvent, async (_, { signal }) => {
      signals.push(signal);
      begun();
      await held;
      return { success: true, event_id: EVENT_ID, session_id: EVENT_ID };
    });
    return { app: sampleApp({ bindings: [operation] }), release: () => release(), beginning, signals };
  }
  const whole = `${HEAD}Content-Length: ${EVENT.length}\r\n\r\n${EVENT}`;

  test('completes pending requests, accepts no new ones and closes idle connections', async () => {
    const { app, release, beginning } = blockedApp();
    const listening = await start(app);
    const idle = await dial(listening);
    const pending = exchange(listening, whole);
    await beginning;
    const closed = listening.close(10_000);
    expect(listening.isDraining).toBe(true);
    await idle.response;
    await expect(dial(listening)).rejects.toThrow('ECONNREFUSED');
    release();
    expect(await pending).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    await closed;
  });

  test('sends Connection: close with the next response of a busy connection', async () => {
    const { app, release, beginning } = blockedApp();
    const listening = await start(app);
    const { socket, response } = await dial(listening);
    socket.write(whole);
    await beginning;
    const closed = listening.close(10_000);
    socket.write(whole);
    release();
    await closed;
    expect((await response).match(/HTTP\/1.1 200/g)?.length).toBeGreaterThanOrEqual(1);
    expect(await response).toMatch(/Connection: close/i);
  });

  test('closes remaining connections after the grace period and aborts their operations', async () => {
    const { app, release, beginning, signals } = blockedApp();
    const listening = await start(app);
    const cut = exchange(listening, whole).catch((error: Error) => error.message);
    await beginning;
    await listening.close(50);
    expect(await cut).not.toContain('200');
    const [signal] = signals;
    if (!signal?.aborted) await once(signal!, 'abort');
    expect(signal?.aborted).toBe(true);
    release();
  });
});

describe('decompression bombs', () => {
  /** JSON text with one gigabyte of a single letter, in gzip members of 64 MB. */
  const member = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x61));
  const bomb = Buffer.concat([
    gzipSync('{"event_type":"model","inputs":{"q":"'),
    ...Array.from({ length: 16 }, () => member),
    gzipSync('"}}'),
  ]);

  function post(
    listening: ListeningServer,
    body: Buffer,
    agent: Agent,
    key = 'project-key',
  ): Promise<{ status: number; body: unknown }> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': body.length,
      };
      const call = httpRequest(
        { port: listening.port, method: 'POST', path: '/v1/events', headers, agent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }),
          );
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }

  test('1 GB in 1 MB is 413 with the limit in the message', async () => {
    const response = await post(await start(), bomb, new Agent());
    expect(response).toMatchObject({
      status: 413,
      body: { message: 'body must not exceed 50 MB after decompression' },
    });
  });

  test('20 concurrent bombs are rejected within the budget, with bounded memory', async () => {
    const app = sampleApp();
    const listening = await start(app);
    const agent = new Agent({ maxSockets: 20 });
    const before = process.memoryUsage().rss;
    let [peakUsed, peakRss] = [0, 0];
    const watch = setInterval(() => {
      peakUsed = Math.max(peakUsed, app.budget.used);
      peakRss = Math.max(peakRss, process.memoryUsage().rss);
    }, 5);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post(listening, bomb, agent, index % 2 ? 'project-key' : 'other-key'),
      ),
    );
    clearInterval(watch);
    for (const { status } of responses) expect([413, 503]).toContain(status);
    expect(peakUsed).toBeLessThanOrEqual(2 * 64 * 1024 * 1024);
    expect(peakRss - before).toBeLessThan(500 * 1024 * 1024);
    expect(app.budget.used).toBe(0);
  });

  test('13 million empty objects in 38 KB are 400, and the server continues', async () => {
    const chunks: Buffer[] = [];
    const zip = createGzip();
    zip.on('data', (chunk: Buffer) => chunks.push(chunk));
    zip.end(`[${'{},'.repeat(13_000_000)}{}]`);
    await once(zip, 'end');
    const listening = await start();
    const response = await post(listening, Buffer.concat(chunks), new Agent());
    expect(response).toMatchObject({ status: 400, body: { message: 'body has more than 2,000,000 values' } });
    expect(await statusOf(listening)).toBe(200);
  });
});
