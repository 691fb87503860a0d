import { getEvent, listProjects } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { KEY, sampleApp } from '../../test/sample-app.js';
import { bind, type Binding } from '../routing/bind.js';
import { listen, type ListeningServer } from '../server/listen.js';
import { EncodedJson, JsonStream, mapPages, streamJson } from './json-stream.js';

const OTHER_KEY = { authorization: 'Bearer other-key' };
const times = { created_at: '2026-11-01T00:00:00.000Z', updated_at: '2026-11-01T00:00:00.000Z' };
const project = (id: string, description = '') => ({ id, name: id, description, org_id: 'o', ...times });
type Project = ReturnType<typeof project>;

const servers: ListeningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
});

async function serve(...bindings: Binding[]): Promise<string> {
  const { listener } = sampleApp({ bindings });
  const server = await listen({ listener, host: '127.0.0.1', port: 0 });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

const EVENT_PATH = '/v1/events/0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const listed = (pages: AsyncIterable<Iterable<Project>>) =>
  bind(listProjects, () => Promise.resolve(streamJson<Project[]>(mapPages(pages, (one) => one))));

async function* asPages<Item>(pages: readonly Item[]) {
  for (const page of pages) yield await Promise.resolve(page);
}

describe('a streamed response', () => {
  it('is whole and has a length while it is small', async () => {
    async function* pages() {
      yield [project('a'), project('b')];
      yield await Promise.resolve([]);
      yield [project('c')];
    }
    const response = await fetch(`${await serve(listed(pages()))}/v1/projects`, { headers: KEY });
    const text = await response.text();
    expect(JSON.parse(text)).toEqual(['a', 'b', 'c'].map((id) => project(id)));
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(response.headers.has('x-request-id')).toBe(true);
  });

  it('encodes every kind of field as JSON.stringify does', async () => {
    const fields = {
      count: 2,
      absent: undefined,
      events: [{ a: 1, b: undefined }, null, 'text', undefined],
      none: [],
      nested: { list: [1, 2] },
      nothing: null,
    };
    const url = await serve(bind(getEvent, () => Promise.resolve(new JsonStream(fields) as never)));
    const text = await (await fetch(url + EVENT_PATH, { headers: KEY })).text();
    expect(text).toBe(JSON.stringify(fields));
  });

  it('contains what was encoded already as it is, also when it is large', async () => {
    for (const size of [1, 300_000]) {
      const items = [project('a'), project('b', 'ü'.repeat(size)), project('c')];
      const halves = (text: string) => new EncodedJson([text.slice(0, 40), text.slice(40)]);
      const pages = [items.map((item, index) => (index === 1 ? halves(JSON.stringify(item)) : item))];
      const response = streamJson<Project[]>(asPages(pages), { release: () => undefined });
      const url = await serve(bind(listProjects, () => Promise.resolve(response)));
      const text = await (await fetch(`${url}/v1/projects`, { headers: KEY })).text();
      expect(text).toBe(JSON.stringify(items));
    }
  });

  it('has every byte of items of any size, with characters of several bytes', async () => {
    const sizes = [1, 262_143, 87_382, 300_000, 0, 262_144, 1_000_000, 130_000, 131_000, 7];
    const items = sizes.flatMap((size, index) => [
      project(`a${index}`, 'x'.repeat(size)),
      project(`b${index}`, '€'.repeat(size)),
    ]);
    async function* pages() {
      for (const item of items) yield await Promise.resolve([item]);
    }
    const response = await fetch(`${await serve(listed(pages()))}/v1/projects`, { headers: KEY });
    const text = await response.text();
    expect(text === JSON.stringify(items)).toBe(true);
  });

  it('is bound with those that are read while they are sent, unless its pages are held', () => {
    const pages = () =>
      (async function* () {
        yield await Promise.resolve([project('a')]);
      })();
    expect(streamJson<Project[]>(pages()).isPaged).toBe(true);
    expect(streamJson<Project[]>(pages(), { release: () => undefined }).isPaged).toBe(false);
  });

  it('lets a request of another project be answered before a large one ends', async () => {
    const pageCount = 200;
    let read = 0;
    async function* pages() {
      for (; read < pageCount; read++)
        yield await Promise.resolve([project(`p${read}`, 'x'.repeat(300_000))]);
    }
    const url = await serve(listed(pages()));
    const large = fetch(`${url}/v1/projects`, { headers: KEY }).then((response) => response.json());
    await waitFor('the large response has begun', () => read > 0);
    const small = await fetch(`${url}/v1/events/x`, { headers: OTHER_KEY });
    const readBefore = read;
    expect(small.status).toBe(400);
    expect(readBefore).toBeLessThan(pageCount);
    expect(await large).toHaveLength(pageCount);
  });

  it('reads no further page than the client has room for, and stops when the client disconnects', async () => {
    let [read, stopped] = [0, false];
    async function* pages() {
      try {
        for (; read < 1_000; read++) yield await Promise.resolve([project('a', 'x'.repeat(1_000_000))]);
      } finally {
        stopped = true;
      }
    }
    const url = await serve(listed(pages()));
    const client = new AbortController();
    const response = await fetch(`${url}/v1/projects`, { headers: KEY, signal: client.signal });
    expect(response.status).toBe(200);
    client.abort();
    await waitFor('reading has stopped', () => stopped);
    expect(read).toBeLessThan(1_000);
  });

  it('releases what it holds when it has ended, and when the client has disconnected', async () => {
    for (const length of [1, 300_000, 50_000_000]) {
      let released = 0;
      const pages = asPages([[project('a', 'x'.repeat(length))]]);
      const response = streamJson<Project[]>(pages, { release: () => released++ });
      const url = await serve(bind(listProjects, () => Promise.resolve(response)));
      const client = new AbortController();
      const { status } = await fetch(`${url}/v1/projects`, { headers: KEY, signal: client.signal });
      expect(status).toBe(200);
      client.abort();
      await waitFor('it is released', () => released === 1);
    }
  });

  it('has no failure without a handler when the client disconnects before several pieces of an item are accepted', async () => {
    let stopped = false;
    async function* pages() {
      try {
        for (;;) yield await Promise.resolve([new EncodedJson(['"', ...largePieces, '"'])]);
      } finally {
        stopped = true;
      }
    }
    const largePieces = Array.from({ length: 8 }, () => 'x'.repeat(300_000));
    const response = () => Promise.resolve(streamJson<Project[]>(pages()));
    const url = await serve(bind(listProjects, response));
    const client = new AbortController();
    await fetch(`${url}/v1/projects`, { headers: KEY, signal: client.signal });
    client.abort();
    await waitFor('reading has stopped', () => stopped);
  });

  it('is an error when the first page cannot be read, and breaks off when a later one cannot', async () => {
    const failing = (after: number) =>
      listed(
        (async function* () {
          for (let page = 0; page < after; page++)
            yield await Promise.resolve([project('a', 'x'.repeat(600_000))]);
          throw new Error('a text that stays inside');
        })(),
      );
    const first = await fetch(`${await serve(failing(0))}/v1/projects`, { headers: KEY });
    expect([first.status, await first.json()]).toMatchObject([500, { errorCode: 'INTERNAL_ERROR' }]);
    const later = await fetch(`${await serve(failing(2))}/v1/projects`, { headers: KEY });
    await expect(later.text()).rejects.toThrow();
  });
});
