import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';

const MB = 1024 ** 2;
const IMAGE = randomBytes(2 * MB);
const HASH = createHash('sha256').update(IMAGE).digest('hex');
const DATA_URL = `data:image/png;base64,${IMAGE.toString('base64')}`;
const EVENTS = 50;
/** What the store takes beside the events: the image and a half. */
const MAX_BYTES = 3 * MB;

type Found = Record<string, unknown> & { readonly event_id: string };

describe('a large image in many events', () => {
  const { stack, client } = onStack(startStandalone);
  const without: { stack?: Awaited<ReturnType<typeof startStandalone>> } = {};
  afterAll(async () => {
    await without.stack?.stop();
  });

  const messages = (n: number) => [
    {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: DATA_URL } }, { text: `no. ${n} ä"\\` }],
    },
  ];
  const send = async (n: number, fields: object = {}): Promise<string> => {
    const event = { event_type: 'model', inputs: { messages: messages(n) }, metadata: { n }, ...fields };
    const response = await client.post('/v1/events', event);
    expect(response.status).toBe(200);
    return response.json<{ event_id: string }>().event_id;
  };
  const media = (hash: string, headers: Record<string, string> = {}, key = stack.apiKey) =>
    fetch(`${stack.baseUrl}/v1/media/${hash}`, { headers: { authorization: `Bearer ${key}`, ...headers } });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
  const inputsOf = async (id: string) => {
    const { text } = await client.call('GET', `/v1/events/${id}/payload/inputs`, {
      headers: { prefer: 'wait=60' },
    });
    return text;
  };
  const ids: string[] = [];

  it('takes the space of one in the store', async () => {
    const events = join(stack.dir, 'data', 'events');
    await client.search({ filters: [], limit: 1 });
    const before = bytesBelow(events);
    for (let n = 0; n < EVENTS; n++) ids.push(await send(n));
    expect((await client.search({ filters: [], limit: 1 })).count).toBeGreaterThanOrEqual(EVENTS);
    expect(bytesBelow(events) - before).toBeLessThan(MAX_BYTES);
  });

  it('is returned with every event unchanged', async () => {
    for (const n of [0, EVENTS - 1]) {
      const { event } = (await client.call('GET', `/v1/events/${ids[n]}`)).json<{ event: Found }>();
      expect(event['inputs']).toStrictEqual({ messages: messages(n) });
      expect(await inputsOf(ids[n] ?? '')).toBe(JSON.stringify({ messages: messages(n) }));
    }
    const filters = [{ field: 'event_type', operator: 'is', type: 'string', value: 'model' }];
    const { events } = await client.search({ filters, limit: EVENTS });
    const found = new Map(events.map((event) => [event['event_id'], event['inputs']]));
    expect(found.size).toBe(EVENTS);
    ids.forEach((id, n) => expect(found.get(id)).toStrictEqual({ messages: messages(n) }));
  });

  it('is served by its hash, whole and in ranges, to its project alone', async () => {
    const whole = await media(HASH);
    expect([whole.status, whole.headers.get('content-type')]).toStrictEqual([200, 'image/png']);
    expect(whole.headers.get('x-content-type-options')).toBe('nosniff');
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    expect((await bytesOf(whole)).equals(IMAGE)).toBe(true);
    const tag = whole.headers.get('etag') ?? '';
    const part = await media(HASH, { range: 'bytes=1000000-1000009' });
    expect([part.status, part.headers.get('content-range')]).toStrictEqual([
      206,
      `bytes 1000000-1000009/${IMAGE.length}`,
    ]);
    expect(await bytesOf(part)).toStrictEqual(IMAGE.subarray(1_000_000, 1_000_010));
    expect((await media(HASH, { range: `bytes=${IMAGE.length}-` })).status).toBe(416);
    expect((await media(HASH, { 'if-none-match': tag })).status).toBe(304);
    expect((await media('0'.repeat(64))).status).toBe(404);
    expect((await media('no-hash')).status).toBe(400);
    const made = await client.post('/v1/projects', { name: 'other' }, { key: stack.adminToken });
    expect((await media(HASH, {}, made.json<{ api_key: string }>().api_key)).status).toBe(404);
  });

  it('is a link to this address in an event, where that is asked for', async () => {
    const { text } = await client.call('GET', `/v1/events/${ids[1]}?media=link`);
    expect(text.length).toBeLessThan(5_000);
    expect(text).toContain(JSON.stringify({ media: `/v1/media/${HASH}`, type: 'image/png', bytes: 2 * MB }));
    expect((await client.call('GET', `/v1/events/${ids[1]}?media=other`)).status).toBe(400);
  });

  it('is a download where a browser could run it', async () => {
    const page = Buffer.from(`<script>alert(1)</script>${'x'.repeat(100_000)}`);
    const id = await send(0, { inputs: { page: `data:text/html;base64,${page.toString('base64')}` } });
    await inputsOf(id);
    const sent = await media(createHash('sha256').update(page).digest('hex'));
    expect([sent.status, sent.headers.get('content-type')]).toStrictEqual([200, 'application/octet-stream']);
    expect(sent.headers.get('content-disposition')).toMatch(/^attachment/);
    expect((await bytesOf(sent)).equals(page)).toBe(true);
  });

  it('survives a kill while it is stored', async () => {
    const other = `data:image/png;base64,${randomBytes(MB).toString('base64')}`;
    const sent: string[] = [];
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 5; n++) sent.push(await send(n, { inputs: { n, other, round } }));
      await stack.kill('standalone');
      await stack.start('standalone');
    }
    for (const [index, id] of sent.entries()) {
      const inputs = JSON.parse(await inputsOf(id)) as object;
      expect(inputs).toStrictEqual({ n: index % 5, other, round: Math.floor(index / 5) });
    }
  });

  it('is still returned when it is not stored once any more', async () => {
    const { dir, apiKey } = stack;
    await stack.terminate('standalone');
    const off = await startStandalone({
      STORE_MEDIA_ONCE: 'false',
      ASSAY_DATA_DIR: join(dir, 'data'),
      ASSAY_API_KEY: apiKey,
    });
    without.stack = off;
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const read = async (id: string) => {
      const response = await fetch(`${off.baseUrl}/v1/events/${id}`, {
        headers: { ...headers, prefer: 'wait=60' },
      });
      return ((await response.json()) as { event: Found }).event['inputs'];
    };
    expect(await read(ids[3] ?? '')).toStrictEqual({ messages: messages(3) });
    const body = JSON.stringify({ event_type: 'model', inputs: { url: DATA_URL } });
    const made = await fetch(`${off.baseUrl}/v1/events`, { method: 'POST', headers, body });
    const { event_id: id } = (await made.json()) as { event_id: string };
    expect(await read(id)).toStrictEqual({ url: DATA_URL });
    await off.stop();
    delete without.stack;
    await stack.start('standalone');
    expect(await inputsOf(id)).toBe(JSON.stringify({ url: DATA_URL }));
    rmSync(off.dir, { recursive: true, force: true });
  });
});

/** Bytes of the files of a folder. The engine removes some meanwhile. */
function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile())
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}
