import { getEvent } from '@assay/contracts';
import { KEY, sampleApp } from '../../test/sample-app.js';
import { bind } from '../routing/bind.js';
import { listen, type ListeningServer } from '../server/listen.js';
import type { ByteRange } from './byte-content.js';
import { rangeResponse } from './range-response.js';

const TEXT = Array.from({ length: 10_000 }, (_, index) => String(index % 10)).join('');
const EVENT_PATH = '/v1/events/0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';

describe('content that is read in parts', () => {
  let server: ListeningServer;
  let url: string;
  let cut = 0;
  beforeAll(async () => {
    async function* read({ from, to }: ByteRange) {
      for (let start = from; start < to - cut; start += 3_000)
        yield await Promise.resolve(Buffer.from(TEXT.slice(start, Math.min(start + 3_000, to - cut))));
    }
    const content = { contentType: 'application/json', length: TEXT.length, tag: '"v1"', read };
    const binding = bind(getEvent, (_, { headers }) => Promise.resolve(rangeResponse(headers, content)));
    server = await listen({
      listener: sampleApp({ bindings: [binding] }).listener,
      host: '127.0.0.1',
      port: 0,
    });
    url = `http://127.0.0.1:${server.port}${EVENT_PATH}`;
  });
  afterAll(() => server.close(0));

  const send = (headers: Record<string, string> = {}) =>
    fetch(url, { headers: { ...KEY, 'accept-encoding': 'identity', ...headers } });

  it('is sent whole with its length and its tag', async () => {
    const response = await send();
    expect([response.status, await response.text()]).toEqual([200, TEXT]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': '10000',
      'content-type': 'application/json',
      etag: '"v1"',
      vary: 'Accept-Encoding',
    });
  });

  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-19', 10, 20],
    ['bytes= 9990 -', 9_990, 10_000],
    ['bytes=-5', 9_995, 10_000],
    ['bytes=-20000', 0, 10_000],
    ['bytes=2999-6001', 2_999, 6_002],
    ['bytes=9999-99999', 9_999, 10_000],
  ])('is 206 for %s', async (range, from, to) => {
    const response = await send({ range, 'accept-encoding': 'gzip' });
    expect([response.status, await response.text()]).toEqual([206, TEXT.slice(from, to)]);
    expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/10000`);
    expect(response.headers.get('content-length')).toBe(String(to - from));
    expect(response.headers.has('content-encoding')).toBe(false);
  });

  it.each(['bytes=10000-', 'bytes=10000-10001', 'bytes=-0'])('is 416 for %s', async (range) => {
    const response = await send({ range });
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */10000']);
    expect(await response.json()).toMatchObject({ errorCode: 'RANGE_NOT_SATISFIABLE' });
  });

  it.each(['bytes=5-2', 'bytes=-', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=a-b', `bytes=${'9'.repeat(20)}-`])(
    'is whole for the range %s',
    async (range) => {
      const response = await send({ range });
      expect([response.status, (await response.text()).length]).toEqual([200, TEXT.length]);
    },
  );

  it.each([
    ['"v1"', 206],
    ['"v0"', 200],
    ['W/"v1"', 200],
  ])('under If-Range %s is %i', async (condition, status) => {
    const response = await send({ range: 'bytes=0-9', 'if-range': condition });
    expect([response.status, (await response.text()).length]).toEqual([status, status === 206 ? 10 : 10_000]);
  });

  it('is 304 without a body for a client that has it', async () => {
    const response = await send({ 'if-none-match': 'W/"v1"' });
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', '"v1"']);
  });

  it('is compressed for clients that accept it', async () => {
    const response = await send({ 'accept-encoding': 'gzip' });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.text()).toBe(TEXT);
  });

  it('is broken off when fewer bytes come than announced', async () => {
    cut = 10;
    await expect(send().then((response) => response.text())).rejects.toThrow();
    cut = 0;
  });
});
