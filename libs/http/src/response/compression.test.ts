import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { getEvent, listProjects } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { KEY, sampleApp } from '../../test/sample-app.js';
import { bind, type Binding } from '../routing/bind.js';
import { listen, type ListeningServer } from '../server/listen.js';
import { acceptsGzip } from './compression.js';
import { mapPages, streamJson } from './json-stream.js';
import { withHeaders } from './response.js';

const servers: ListeningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});

async function serve(binding: Binding, allowedOrigins?: readonly string[]): Promise<string> {
  const { listener } = sampleApp({ bindings: [binding], allowedOrigins });
  const server = await listen({ listener, host: '127.0.0.1', port: 0 });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

/** Sends a request without a client that decodes the response. */
async function request(url: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers: { ...KEY, ...headers } }, resolve).on('error', reject),
  );
  return { headers: response.headers, body: await buffer(response) };
}

const GZIP = { 'accept-encoding': 'gzip' };
const EVENT_PATH = '/v1/events/0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const responding = (body: unknown, headers: Record<string, string> = {}) =>
  bind(getEvent, () => Promise.resolve(withHeaders(body as never, headers)));
const LARGE = { text: 'a long text '.repeat(1_000) };

describe('a client accepts gzip', () => {
  it.each([
    ['gzip', true],
    ['deflate, GZIP;q=0.5', true],
    ['x-gzip', true],
    ['*', true],
    ['br, *;q=0.1', true],
    ['gzip;q=0', false],
    ['gzip;q=0.0, *', false],
    ['br', false],
    ['identity', false],
    ['', false],
    [undefined, false],
  ])('by %p: %p', (sent, expected) => {
    expect(acceptsGzip({ headers: { 'accept-encoding': sent } })).toBe(expected);
  });
});

describe('a response', () => {
  it('is compressed for clients that accept it, from 4 KiB on', async () => {
    const url = (await serve(responding(LARGE, { ETag: '"1"' }))) + EVENT_PATH;
    const { headers, body } = await request(url, GZIP);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-length': String(body.length),
      'content-type': 'application/json',
      etag: 'W/"1"',
      vary: 'Accept-Encoding',
    });
    expect(body.length).toBeLessThan(1_000);
    expect(gunzipSync(body).toString()).toBe(JSON.stringify(LARGE));
    const plain = await request(url);
    expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding', etag: '"1"' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
    expect(plain.body.toString()).toBe(JSON.stringify(LARGE));
  });

  it('is sent unchanged when it is small, or encoded already', async () => {
    const small = await request((await serve(responding({ a: 1 }))) + EVENT_PATH, GZIP);
    expect(small.headers).not.toHaveProperty('content-encoding');
    expect(small.headers).not.toHaveProperty('vary');
    const encoded = responding(LARGE, { 'Content-Encoding': 'identity' });
    const { headers, body } = await request((await serve(encoded)) + EVENT_PATH, GZIP);
    expect([headers['content-encoding'], body.toString()]).toEqual(['identity', JSON.stringify(LARGE)]);
  });

  it('varies by origin too where pages of other origins may call the API', async () => {
    const url = (await serve(responding(LARGE), ['https://a.example'])) + EVENT_PATH;
    expect((await request(url, GZIP)).headers.vary).toBe('Origin, Accept-Encoding');
  });
});

describe('a streamed response', () => {
  const project = (id: string, description: string) => ({ id, name: id, description });
  const listed = (pages: AsyncIterable<Iterable<object>>) =>
    bind(listProjects, () => Promise.resolve(streamJson(mapPages(pages, (one) => one)) as never));

  it('is compressed while it is read', async () => {
    async function* pages() {
      for (let page = 0; page < 20; page++)
        yield await Promise.resolve([project(`p${page}`, 'x'.repeat(100_000))]);
    }
    const { headers, body } = await request(`${await serve(listed(pages()))}/v1/projects`, GZIP);
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' });
    expect(body.length).toBeLessThan(100_000);
    expect(JSON.parse(gunzipSync(body).toString())).toHaveLength(20);
  });

  it('stops reading when the client disconnects', async () => {
    let stopped = false;
    async function* pages() {
      try {
        const noise = Array.from({ length: 300_000 }, () => Math.random()).join();
        for (;;) yield await Promise.resolve([project('a', noise)]);
      } finally {
        stopped = true;
      }
    }
    const url = `${await serve(listed(pages()))}/v1/projects`;
    const sent = get(url, { headers: { ...KEY, ...GZIP } }, (response) => response.destroy());
    sent.on('error', () => undefined);
    await waitFor('reading has stopped', () => stopped);
  });
});
