import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createGzip, gzipSync } from 'node:zlib';
import { Agent, get, request as httpRequest } from 'node:http';
import { bind } from '../routing/bind.js';
import { createEvent } from '@assay/contracts';
import { listen, type Listening, type ListenTimeouts } from './listen.js';
import { EVENT_ID, sampleApp, type SampleApp } from '../../test/sample-app.js';

const QUICK: ListenTimeouts = { headersMs: 300, requestMs: 300, checkMs: 50 };
const HEAD =
  'POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer project-key\r\nContent-Type: application/json\r\n';
const EVENT = JSON.stringify({ event_type: 'model', inputs: {} });

const opened: Listening[] = [];
afterEach(() => Promise.all(opened.splice(0).map((listening) => listening.close(0))));

async function start(app: SampleApp = sampleApp(), timeouts?: ListenTimeouts): Promise<Listening> {
  const listening = await listen({ listener: app.listener, host: '127.0.0.1', port: 0, timeouts });
  opened.push(listening);
  return listening;
}

/** A connection on which bytes are sent, and all that comes back. */
async function dial({ port }: Listening): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const answer = new Promise<string>((resolve, reject) => {
    const pieces: Buffer[] = [];
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(pieces).toString()));
  });
  return { socket, answer };
}

async function exchange(listening: Listening, ...pieces: (string | Buffer)[]): Promise<string> {
  const { socket, answer } = await dial(listening);
  for (const piece of pieces) socket.write(piece);
  return answer;
}

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
}

async function statusOf({ port }: Listening): Promise<number | undefined> {
  const [response] = (await once(get({ port, path: '/healthz', agent: false }), 'response')) as [
    { statusCode?: number; resume(): void },
  ];
  response.resume();
  return response.statusCode;
}

describe('what Node refuses is answered as JSON', () => {
  test('a body that stops is 408, others go on, and the budget is whole again', async () => {
    const app = sampleApp();
    const listening = await start(app, QUICK);
    const answer = exchange(listening, `${HEAD}Content-Length: 1000\r\n\r\n`, '0123456789');
    expect(await statusOf(listening)).toBe(200);
    expect(await answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(bodyOf(await answer)).toEqual({
      statusCode: 408,
      message: 'the request took too long to arrive',
      success: false,
      errorCode: 'REQUEST_TIMEOUT',
    });
    expect(app.budget.used).toBe(0);
    expect(app.seen.bodies).toEqual([]);
  });

  test('a compressed body that stops is 408', async () => {
    const app = sampleApp();
    const answer = exchange(
      await start(app, QUICK),
      `${HEAD}Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`,
      '5\r\n',
      gzipSync(EVENT).subarray(0, 5),
      '\r\n',
    );
    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
    expect(app.budget.used).toBe(0);
  });

  test('headers that stop are 408', async () => {
    expect(await exchange(await start(undefined, QUICK), 'GET / HTTP/1.1\r\nHost')).toMatch(
      /^HTTP\/1.1 408 /,
    );
  });

  test('what is no HTTP is 400', async () => {
    const answer = await exchange(await start(), 'NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(bodyOf(answer)).toEqual({
      statusCode: 400,
      message: 'the request is not valid HTTP',
      success: false,
      errorCode: 'VALIDATION_ERROR',
    });
  });

  test('an expectation that nobody knows is ignored, not refused without a body', async () => {
    const app = sampleApp();
    const rest = `Expect: a-miracle\r\nConnection: close\r\nContent-Length: ${EVENT.length}\r\n\r\n${EVENT}`;
    expect(await exchange(await start(app), `${HEAD}${rest}`)).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(app.seen.bodies).toHaveLength(1);
  });

  test('a length and chunks at once, as smugglers send, is 400', async () => {
    expect(
      await exchange(
        await start(),
        `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 400 /);
  });

  test('headers that are too large are 431', async () => {
    const answer = await exchange(
      await start(),
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
    expect(bodyOf(answer)).toMatchObject({ errorCode: 'HEADERS_TOO_LARGE' });
  });
});

describe('an early refusal can be read while the client is still sending', () => {
  const chunk = Buffer.alloc(1_000_000, 0x61);
  const sent = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);

  test('60 MB in chunks is 413 once 50 MB are passed', async () => {
    const app = sampleApp();
    const { socket, answer } = await dial(await start(app));
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    for (let count = 0; count < 60 && socket.writable; count += 1) socket.write(sent);
    expect(bodyOf(await answer)).toMatchObject({
      statusCode: 413,
      message: 'body must not exceed 50 MB after decompression',
    });
    expect(app.budget.used).toBe(0);
  });

  test('60 MB by its length is 413 without a byte of it', async () => {
    const answer = await exchange(await start(), `${HEAD}Content-Length: 60000000\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 413 .*\r\n/);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  });

  test('without a key it is 401', async () => {
    const { socket, answer } = await dial(await start());
    socket.write('POST /v1/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let count = 0; count < 5; count += 1) socket.write(sent);
    expect(await answer).toMatch(/^HTTP\/1.1 401 /);
  });

  test('a client that asks first is told no, or is invited', async () => {
    const listening = await start();
    const expecting = `Expect: 100-continue\r\nContent-Length: ${EVENT.length}\r\n`;
    expect(await exchange(listening, `POST /v1/events HTTP/1.1\r\nHost: x\r\n${expecting}\r\n`)).toMatch(
      /^HTTP\/1.1 401 /,
    );
    const { socket, answer } = await dial(listening);
    socket.write(`${HEAD}Connection: close\r\n${expecting}\r\n`);
    await once(socket, 'data');
    socket.write(EVENT);
    expect(await answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
  });

  test('a small body that nobody reads leaves the connection open', async () => {
    const refused = `POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: ${EVENT.length}\r\n\r\n${EVENT}`;
    const answers = await exchange(
      await start(),
      refused,
      refused,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 401', 'HTTP/1.1 200']);
  });
});

describe('closing', () => {
  function heldApp() {
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

  test('answers what is under way, takes nothing new, and ends idle connections', async () => {
    const { app, release, beginning } = heldApp();
    const listening = await start(app);
    const idle = await dial(listening);
    const underWay = exchange(listening, whole);
    await beginning;
    const closed = listening.close(10_000);
    expect(listening.isDraining).toBe(true);
    await idle.answer;
    await expect(dial(listening)).rejects.toThrow('ECONNREFUSED');
    release();
    expect(await underWay).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    await closed;
  });

  test('tells a connection that stays busy to end with its next answer', async () => {
    const { app, release, beginning } = heldApp();
    const listening = await start(app);
    const { socket, answer } = await dial(listening);
    socket.write(whole);
    await beginning;
    const closed = listening.close(10_000);
    socket.write(whole);
    release();
    await closed;
    expect((await answer).match(/HTTP\/1.1 200/g)?.length).toBeGreaterThanOrEqual(1);
    expect(await answer).toMatch(/Connection: close/i);
  });

  test('cuts what has not ended after the time of grace, and the operation is told', async () => {
    const { app, release, beginning, signals } = heldApp();
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

describe('bombs', () => {
  /** Gigabytes of one letter in a JSON text, as gzip members of 64 MB each. */
  const member = gzipSync(Buffer.alloc(64 * 1024 * 1024, 0x61));
  const bomb = Buffer.concat([
    gzipSync('{"event_type":"model","inputs":{"q":"'),
    ...Array.from({ length: 16 }, () => member),
    gzipSync('"}}'),
  ]);

  function post(
    listening: Listening,
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
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(pieces).toString()) }),
          );
        },
      );
      call.on('error', reject);
      call.end(body);
    });
  }

  test('1 GB in 1 MB is 413, naming the limit', async () => {
    const answer = await post(await start(), bomb, new Agent());
    expect(answer).toMatchObject({
      status: 413,
      body: { message: 'body must not exceed 50 MB after decompression' },
    });
  });

  test('20 at once are refused within the budget, and memory stays bounded', async () => {
    const app = sampleApp();
    const listening = await start(app);
    const agent = new Agent({ maxSockets: 20 });
    const before = process.memoryUsage().rss;
    let [peakUsed, peakRss] = [0, 0];
    const watch = setInterval(() => {
      peakUsed = Math.max(peakUsed, app.budget.used);
      peakRss = Math.max(peakRss, process.memoryUsage().rss);
    }, 5);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post(listening, bomb, agent, index % 2 ? 'project-key' : 'other-key'),
      ),
    );
    clearInterval(watch);
    for (const { status } of answers) expect([413, 503]).toContain(status);
    expect(peakUsed).toBeLessThanOrEqual(2 * 64 * 1024 * 1024);
    expect(peakRss - before).toBeLessThan(500 * 1024 * 1024);
    expect(app.budget.used).toBe(0);
  });

  test('13 million empty objects in 38 KB are 400, and the next request is answered', async () => {
    const pieces: Buffer[] = [];
    const zip = createGzip();
    zip.on('data', (piece: Buffer) => pieces.push(piece));
    zip.end(`[${'{},'.repeat(13_000_000)}{}]`);
    await once(zip, 'end');
    const listening = await start();
    const answer = await post(listening, Buffer.concat(pieces), new Agent());
    expect(answer).toMatchObject({ status: 400, body: { message: 'body has more than 2,000,000 values' } });
    expect(await statusOf(listening)).toBe(200);
  });
});
