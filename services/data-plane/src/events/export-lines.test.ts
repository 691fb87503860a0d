import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { DEFAULT_QUERY_LIMITS } from '@assay/event-store';
import { ByteBudget, serve, type JsonStream, type LineStream, type Pages } from '@assay/http';
import { createLogger, createMetrics } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { CALLER, CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeExportEvents } from './export-events.js';
import { acceptsLines } from './export-lines.js';
import { eventRoutes } from './routes.js';

const START = 1_790_000_000_000;
/** Of each of the two large events. */
const LARGE_BYTES = 9_000_000;
/** Of one query: enough for one large event and not for both, so that no route can read an export as a whole. */
const MAX_RESULT_BYTES = 14_000_000;

describe('an export with one event per line', () => {
  let stored: StoredEvents;
  let serving: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    stored = await startStoredEvents({ ...DEFAULT_QUERY_LIMITS, maxResultBytes: MAX_RESULT_BYTES });
    serving = await serve({
      host: '127.0.0.1',
      port: 0,
      adminPort: 0,
      bindings: eventRoutes(stored.deps()),
      authenticator: {
        authenticate: (key) =>
          Promise.resolve({ ...CALLER, projectId: key === 'other' ? 'p2' : CALLER.projectId }),
      },
      budget: new ByteBudget({ maxBytes: 1_000_000 }),
      openApi: { version: 'test' },
      logger: createLogger({ level: 'error', service: 'test' }),
      metrics: createMetrics({ processMetrics: false }),
      checks: {},
    });
    const count = 1_203;
    await stored.add(
      Array.from({ length: count }, (_, n) => ({
        event_name: n % 2 === 0 ? 'even' : 'odd',
        start_time: START - n,
        inputs: { text: n < 2 ? 'x'.repeat(LARGE_BYTES) : `${n}` },
      })),
    );
  });
  afterAll(async () => {
    await serving.close(0);
    await stored.stop();
  });

  const post = (body: object, { accept = 'application/x-ndjson', key = 'key' } = {}) =>
    fetch(`${serving.baseUrl}/v1/events/export`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept },
    });
  const linesOf = async (body: object, key?: string) => {
    const content = await (await post(body, { key })).text();
    return content
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { start_time: number }]));
  };

  it('contains all events, newest first, beyond the size of a page', async () => {
    const response = await post({});
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const content = await text(response.body as never);
    const starts = content.split('\n').flatMap((line) => (line === '' ? [] : [startOf(line)]));
    expect(starts).toEqual(Array.from({ length: 1_203 }, (_, n) => START - n));
  });

  it('has the lines that a JSON export has as events', async () => {
    const body = {
      filters: [{ field: 'event_name', operator: 'is', value: 'odd' }],
      dateRange: { $lte: START - 600 },
    };
    const json = (await (await post(body, { accept: 'application/json' })).json()) as { events: unknown[] };
    expect(json.events).toHaveLength(301);
    expect(await linesOf(body)).toEqual(json.events);
  });

  it('has the events of a JSON export of any size, in the same order', async () => {
    const body = { dateRange: { $gte: START - 40 } };
    const response = await post(body, { accept: 'application/json' });
    expect(response.headers.get('transfer-encoding')).toBe('chunked');
    const json = (await response.json()) as { events: unknown[]; count: number; totalEvents: number };
    expect([json.count, json.totalEvents]).toEqual([41, 41]);
    expect(await linesOf(body)).toEqual(json.events);
  });

  it('reads no further event of a JSON export after the client has disconnected', async () => {
    const client = new AbortController();
    const request = { body: { dateRange: { $gte: START - 40 } }, params: undefined, query: {} } as never;
    const context = { ...CONTEXT, signal: client.signal };
    const response = (await makeExportEvents(stored.deps())(request, context)) as JsonStream<{
      events: readonly unknown[];
    }>;
    const parts = (response.content.events as Pages<unknown>)[Symbol.asyncIterator]();
    const first = await parts.next();
    expect([...(first.value as Iterable<unknown>)]).toHaveLength(1);
    client.abort();
    await expect(parts.next()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('reads one part ahead of a client that stops reading, and occupies no turn meanwhile', async () => {
    const { store } = stored;
    const { asked } = store.administration.queryLoad();
    const request = { body: {}, params: undefined, query: {} } as never;
    const context = { ...CONTEXT, headers: { accept: 'application/x-ndjson' } };
    const lines = (await makeExportEvents(stored.deps())(request, context)) as unknown as LineStream;
    const parts = lines.pages[Symbol.asyncIterator]();
    expect([...((await parts.next()).value as Iterable<unknown>)]).toHaveLength(1);
    // The keys of a page, the first large event, and the second one ahead.
    const hasReadAhead = () =>
      store.administration.queryLoad().asked === asked + 3 && store.administration.queryLoad().running === 0;
    await waitFor('the next part is read', hasReadAhead);
    await store.events.find(CALLER.projectId, randomUUID());
    await waitFor('no query runs', () => Promise.resolve(store.administration.queryLoad().running === 0));
    expect(store.administration.queryLoad()).toEqual({ running: 0, waiting: 0, asked: asked + 4 });
    await parts.return?.();
  });

  it('follows projections and a limit', async () => {
    const lines = await linesOf({ projections: ['start_time'], limit: 700, dateRange: { $lte: START - 3 } });
    expect(lines).toHaveLength(700);
    expect(Object.keys(lines[0]!).sort()).toEqual(['event_id', 'start_time']);
  });

  it('is empty for another project, and rejects a page', async () => {
    expect(await linesOf({}, 'other')).toEqual([]);
    const rejected = await post({ page: 2 });
    expect([rejected.status, await rejected.json()]).toMatchObject([
      400,
      { message: expect.stringContaining('page') as string },
    ]);
  });

  it.each([
    ['application/x-ndjson', true],
    ['application/json;q=0.5, application/ndjson; charset=utf-8', true],
    ['application/json', false],
    ['*/*', false],
    [undefined, false],
  ])('is chosen by the header Accept: %p %p', (accept, expected) => {
    expect(acceptsLines({ accept })).toBe(expected);
  });

  it('has no character in a line that a reader takes for the end of one', async () => {
    const texts = ['first\u2028second', 'next\u0085line', 'paragraph\u2029end'];
    await stored.add(
      texts.map((event_name, n) => ({
        project_id: 'p2',
        event_name,
        start_time: START + 1,
        inputs: { text: event_name, n },
      })),
    );
    const body = { filters: [{ field: 'start_time', operator: 'is', value: START + 1, type: 'number' }] };
    for (const projections of [[], ['event_name']]) {
      const content = await (await post({ ...body, projections }, { key: 'other' })).text();
      expect(content).not.toMatch(/[\u0085\u2028\u2029]/);
      const lines = content.trimEnd().split(/[\n\u0085\u2028\u2029]/);
      const names = lines.map((line) => (JSON.parse(line) as { event_name: string }).event_name);
      expect(names.sort()).toEqual([...texts].sort());
    }
  });
});

function startOf(line: string): number {
  return Number(/"start_time":(\d+)/.exec(line)?.[1]);
}
