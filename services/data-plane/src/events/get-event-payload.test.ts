import { randomUUID } from 'node:crypto';
import type { Bucket, Event } from '@assay/domain';
import type { ByteContent } from '@assay/http';
import { type HandlerResponse } from '@assay/http';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeGetEventPayload } from './get-event-payload.js';

describe('one object of an event', () => {
  let stored: StoredEvents;
  let event: Event;
  beforeAll(async () => {
    stored = await startStoredEvents();
    [event] = (await stored.add([{ inputs: { text: 'ä'.repeat(3_000_000) }, metadata: { a: 1 } }])) as [
      Event,
    ];
  });
  afterAll(() => stored.stop());

  async function read(
    field: Bucket,
    context: Partial<typeof CONTEXT> = {},
    query: { download?: boolean } = {},
  ) {
    const params = { event_id: event.event_id.toUpperCase(), field };
    const operation = makeGetEventPayload(stored.deps());
    const request = { params, query, body: undefined as never };
    return (await operation(request, { ...CONTEXT, ...context })) as unknown as HandlerResponse<ByteContent>;
  }
  async function textOf({ body }: HandlerResponse<ByteContent>): Promise<string> {
    const parts: Buffer[] = [];
    for await (const part of body.read(body.range)) parts.push(part);
    return Buffer.concat(parts).toString();
  }

  it('is read in parts, with a tag that follows its version', async () => {
    const response = await read('inputs');
    expect(response.body.length).toBe(6_000_000 + 11);
    expect(await textOf(response)).toBe(JSON.stringify(event.inputs));
    expect(response.headers).toEqual({ 'Accept-Ranges': 'bytes', ETag: '"0"' });
    const unchanged = await read('inputs', { headers: { 'if-none-match': '"0"' } });
    expect(unchanged.status).toBe(304);
  });

  it('is read in the range of the request', async () => {
    const response = await read('inputs', { headers: { range: 'bytes=4194300-4194309' } });
    expect([response.status, response.headers['Content-Range']]).toEqual([
      206,
      'bytes 4194300-4194309/6000011',
    ]);
    expect(await textOf(response)).toBe(
      Buffer.from(JSON.stringify(event.inputs)).subarray(4_194_300, 4_194_310).toString(),
    );
    await expect(read('metadata', { headers: { range: 'bytes=7-' } })).rejects.toMatchObject({
      cause: { code: 'RANGE_NOT_SATISFIABLE' },
    });
  });

  it('can be saved as a file', async () => {
    const { headers } = await read('metadata', {}, { download: true });
    expect(headers['Content-Disposition']).toBe(`attachment; filename="${event.event_id}.metadata.json"`);
  });

  it('is unknown in another project, and of an unknown event', async () => {
    const caller = { ...CONTEXT.caller, projectId: 'p2' };
    await expect(read('inputs', { caller })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const operation = makeGetEventPayload(stored.deps());
    const params = { event_id: randomUUID(), field: 'inputs' as const };
    await expect(operation({ params, query: {}, body: undefined }, CONTEXT)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is not read on for a client that disconnects', async () => {
    const client = new AbortController();
    const { body } = await read('inputs', { signal: client.signal });
    const parts = body.read(body.range)[Symbol.asyncIterator]();
    expect((await parts.next()).done).toBe(false);
    client.abort();
    await expect(parts.next()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
