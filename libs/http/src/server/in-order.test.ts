import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { waitFor } from '@assay/testing';
import { listen, type ListeningServer } from './listen.js';

const seed = Date.now() % 1_000_000;
const opened: ListeningServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map((listening) => listening.close(0)));
});

async function start(listener: RequestListener): Promise<Socket> {
  const listening = await listen({ host: '127.0.0.1', port: 0, listener });
  opened.push(listening);
  const socket = connect(listening.port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Responds with the path and the length of the body after a turn of the event loop. Counts the requests that are pending. */
function echo() {
  const seen = { pending: 0, maxPending: 0 };
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    seen.maxPending = Math.max(seen.maxPending, ++seen.pending);
    response.once('finish', () => seen.pending--);
    let length = 0;
    for await (const chunk of request) length += (chunk as Buffer).length;
    await turn();
    response.end(`<${request.url} ${length}>`);
  };
  const listener: RequestListener = (request, response) => void reply(request, response);
  return { seen, listener };
}

async function collect(socket: Socket, isWhole: (text: string) => boolean): Promise<string> {
  let text = '';
  for await (const chunk of socket) {
    text += String(chunk);
    if (isWhole(text)) break;
  }
  return text;
}

const bodiesOf = (text: string) => text.match(/<[^>]*>/g) ?? [];

function requestOf(n: number, random: () => number): { readonly text: string; readonly response: string } {
  const length = Math.floor(random() * 3) === 0 ? 0 : Math.floor(random() ** 4 * 20_000);
  const filler = 'a\r\n\r\nGET /hidden HTTP/1.1\r\n\r\n'.repeat(1_000).slice(0, length);
  const response = `</${n} ${length}>`;
  if (length === 0) return { text: `GET /${n} HTTP/1.1\r\nHost: x\r\n\r\n`, response };
  const head = `POST /${n} HTTP/1.1\r\nHost: x\r\n`;
  const chunks = `Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${filler}\r\n0\r\n\r\n`;
  return random() < 0.5
    ? { text: `${head}${chunks}`, response }
    : { text: `${head}Content-Length: ${length}\r\n\r\n${filler}`, response };
}

describe(`requests that a client sends behind each other (seed ${seed})`, () => {
  it('are answered in order and one at a time, however their bytes are split', async () => {
    let state = seed;
    const random = () => (state = (state * 48_271 + 11) % 2_147_483_647) / 2_147_483_647;
    const { listener, seen } = echo();
    const socket = await start(listener);
    const requests = Array.from({ length: 200 }, (_, n) => requestOf(n, random));
    const bytes = requests.map(({ text }) => text).join('');
    const responses = collect(socket, (text) => bodiesOf(text).length === requests.length);
    for (let sent = 0; sent < bytes.length;) {
      const length = 1 + Math.floor(random() ** 6 * 100_000);
      socket.write(bytes.slice(sent, (sent += length)));
      if (random() < 0.3) await turn();
    }
    expect(bodiesOf(await responses)).toEqual(requests.map(({ response }) => response));
    expect(seen.maxPending).toBe(1);
  });

  it.each([1, 2, 3])('are one at a time behind a head whose last bytes come later: %i', async (length) => {
    const { listener, seen } = echo();
    const accepted: Socket[] = [];
    const socket = await start((request, response) => {
      accepted.push(request.socket);
      listener(request, response);
    });
    const request = 'GET /1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const responses = collect(socket, (text) => bodiesOf(text).length === 11);
    const first = request + request.slice(0, -length);
    socket.write(first);
    await waitFor('the first part is there', () => accepted[0]?.bytesRead === first.length);
    socket.write(request.slice(-length) + request.repeat(9));
    expect(bodiesOf(await responses)).toHaveLength(11);
    expect(seen.maxPending).toBe(1);
  });

  it('are all answered when a thousand come in one write', async () => {
    const { listener, seen } = echo();
    const socket = await start(listener);
    socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000));
    const text = await collect(socket, (sofar) => bodiesOf(sofar).length === 1_000);
    expect(bodiesOf(text)).toHaveLength(1_000);
    expect(seen.maxPending).toBe(1);
  });

  it('wait while the client does not take a response', async () => {
    const body = Buffer.alloc(16 * 1024 * 1024);
    let requests = 0;
    const socket = await start((_request, response) => {
      requests++;
      response.end(body);
    });
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
    await waitFor('the first one has begun', () => requests > 0);
    for (let n = 0; n < 20; n++) await turn();
    expect(requests).toBe(1);
    socket.resume();
    await waitFor('the next one is answered', () => requests > 1);
  });

  it('end with the first one that is not HTTP, which is 400', async () => {
    const { listener } = echo();
    const socket = await start(listener);
    socket.write('GET /1 HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n');
    const text = await collect(socket, () => false);
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});
