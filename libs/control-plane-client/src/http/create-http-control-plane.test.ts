import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unavailable } from '@assay/errors';
import type { Caller, Filter, ScoreRule } from '@assay/domain';
import { describeControlPlane, forwardedEvent, type KeptEvent } from '../control-plane-contract.js';
import type { AcceptedRequest, ControlPlane, EventDatapoint, ForwardedEvent } from '../control-plane.js';
import { newKeyText } from '../key-format/key-format.js';
import { sharedTokenDataPlane } from '../data-plane/data-plane.js';
import { createHttpControlPlane } from './create-http-control-plane.js';
import { createInternalApi } from './internal-api.js';

const token = 'token-of-the-control-plane';
const identify = sharedTokenDataPlane(token);
const caller: Caller = { projectId: 'p1', projectName: 'bot', keyId: 'k1', scope: 'ingest' };

/** A control plane that knows the keys of a map, and keeps events in memory. */
const inMemory = (
  keys: ReadonlyMap<string, Caller>,
  events = new KeptEvents(),
  claims = new Map<string, AcceptedRequest>(),
): ControlPlane => ({
  claimRequest: ({ projectId, key, content, at }) => {
    const name = `${projectId}/${key}`;
    const first = claims.get(name) ?? { content, at };
    claims.set(name, first);
    return Promise.resolve(first);
  },
  authenticate: (key) => Promise.resolve(keys.get(key)),
  check: () => Promise.resolve(),
  forwardEvents: (batch) => Promise.resolve(batch.forEach((told) => events.tell(told))),
  queueFilters: ({ queueId }) => Promise.resolve(queueId === 'q1' ? [FILTER] : undefined),
  addToQueue: ({ queueId }, ids) => Promise.resolve(queueId === 'q1' && ids.length === 1_000),
  annotationMetrics: ({ eventId, names }) =>
    Promise.resolve(eventId === 'e1' && names.includes('tone') ? [RULE] : undefined),
  markQueueEvent: ({ eventId, done, by }) =>
    Promise.resolve(eventId === 'e1' && by.keyId === 'k1' ? { ...ENTRY, done } : undefined),
  createDatapoints: ({ datasetId }) => Promise.resolve(datasetId === undefined || datasetId === 'd1'),
  queueEntries: ({ queueId, limit }) =>
    Promise.resolve(queueId === 'q1' ? { total: limit, entries: [ENTRY] } : undefined),
});

const FILTER: Filter = { field: 'metadata.a', operator: 'in', type: 'string', value: ['x', 'y'] };
const ENTRY = { eventId: 'e1', addedAt: '2026-11-01T00:00:00.000Z', done: false, doneAt: null };

const BY = { keyId: 'k1', requestId: 'r1', address: '127.0.0.1' };
const RULE: ScoreRule = {
  name: 'tone',
  return_type: 'categorical',
  scale: null,
  categories: [{ category: 'kind', score: 1 }],
};
const datapoint = (id: string, text = 'x'): EventDatapoint => ({
  id,
  inputs: JSON.parse(`{"__proto__":${JSON.stringify(text)}}`) as EventDatapoint['inputs'],
  history: [{ role: 'user' }],
  ground_truth: null,
  metadata: null,
  linked_event: 'e1',
});

class KeptEvents {
  private readonly events = new Map<string, KeptEvent & { readonly sessionId: string }>();
  private readonly deleted = new Set<string>();

  tell(told: ForwardedEvent): void {
    if (told.kind === 'delete') return void this.deleted.add(told.eventId);
    const { event_id, session_id: sessionId, event_name: eventName, metrics } = told.event;
    if ((this.events.get(event_id)?.version ?? -1) < told.version) {
      this.events.set(event_id, { version: told.version, eventName, metrics, sessionId });
    }
  }

  get(eventId: string): KeptEvent | undefined {
    const kept = this.events.get(eventId);
    return kept && !this.deleted.has(eventId) && !this.deleted.has(kept.sessionId) ? kept : undefined;
  }
}

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

describeControlPlane('over HTTP', async () => {
  const { text } = newKeyText('ingest');
  const events = new KeptEvents();
  const { server, url } = await serve(
    createInternalApi({ controlPlane: inMemory(new Map([[text, caller]]), events), identify }),
  );
  return {
    controlPlane: createHttpControlPlane({ url, token, timeoutMs: 2_000 }),
    key: text,
    caller,
    endedKeys: [newKeyText('ingest').text],
    kept: (eventId) => Promise.resolve(events.get(eventId)),
    goAway: () => stop(server),
    stop: () => stop(server),
  };
});

describe('createHttpControlPlane', () => {
  const answering = async (listener: RequestListener) => {
    const { server, url } = await serve(listener);
    const controlPlane = createHttpControlPlane({ url, token, timeoutMs: 200, forwardTimeoutMs: 200 });
    const calls = [
      controlPlane.authenticate('x'.repeat(30)),
      controlPlane.forwardEvents([forwardedEvent('p1', 1)]),
    ];
    const outcomes = await Promise.all(
      calls.map((call) =>
        call.then(
          () => 'answered',
          (error: { code: string }) => error.code,
        ),
      ),
    );
    await stop(server);
    return outcomes;
  };

  it.each<[string, RequestListener]>([
    ['a server that never answers', () => undefined],
    ['a connection that is reset', (request) => request.socket.destroy()],
    [
      'an answer that breaks off',
      (_request, response) =>
        response.writeHead(200, { 'content-length': '99' }).write('{"cal', () => response.destroy()),
    ],
    ['status 500', (_request, response) => response.writeHead(500).end('{"caller":null}')],
    ['a redirect', (_request, response) => response.writeHead(302, { location: '/' }).end()],
    ['a page', (_request, response) => response.end('<html>')],
    ['an empty object', (_request, response) => response.end('{}')],
    [
      'status 413 of something on the way',
      (_request, response) => response.writeHead(413).end('{"error":"too large"}'),
    ],
    [
      'a caller without a project',
      (_request, response) => response.end('{"caller":{"keyId":"k","scope":"project"}}'),
    ],
    [
      'a caller with a scope that nobody knows',
      (_request, response) => response.end(JSON.stringify({ caller: { ...caller, scope: 'all' } })),
    ],
  ])('takes %s for a control plane that cannot be asked', async (_name, listener) => {
    expect(await answering(listener)).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
  });

  it.each([
    ['VALIDATION_ERROR', 400],
    ['PAYLOAD_TOO_LARGE', 413],
  ] as const)(
    'passes on that the control plane will never take an event: %s',
    async (errorCode, statusCode) => {
      const { server, url } = await serve((request, response) => {
        request
          .resume()
          .on('end', () =>
            response.writeHead(statusCode).end(JSON.stringify({ statusCode, success: false, errorCode })),
          );
      });
      const controlPlane = createHttpControlPlane({ url, token, timeoutMs: 2_000 });
      await expect(controlPlane.forwardEvents([forwardedEvent('p1', 1)])).rejects.toMatchObject({
        code: errorCode,
      });
      await stop(server);
    },
  );

  it('asks for the events of a queue, and knows one that is not there', async () => {
    const { server, url } = await serve(createInternalApi({ controlPlane: inMemory(new Map()), identify }));
    const controlPlane = createHttpControlPlane({ url, token, timeoutMs: 2_000 });
    const query = { projectId: 'p1', limit: 7, offset: 0 };
    expect(await controlPlane.queueEntries({ ...query, queueId: 'q1', isDone: false })).toEqual({
      total: 7,
      entries: [ENTRY],
    });
    expect(await controlPlane.queueEntries({ ...query, queueId: 'q2' })).toBeUndefined();
    expect(await controlPlane.queueFilters({ projectId: 'p1', queueId: 'q1' })).toEqual([FILTER]);
    expect(await controlPlane.queueFilters({ projectId: 'p1', queueId: 'q2' })).toBeUndefined();
    const ids = Array.from({ length: 1_000 }, (_, index) => `${index}`.padStart(200, 'x'));
    expect(await controlPlane.addToQueue({ projectId: 'p1', queueId: 'q1' }, ids)).toBe(true);
    expect(await controlPlane.addToQueue({ projectId: 'p1', queueId: 'q2' }, ids)).toBe(false);
    await expect(
      controlPlane.addToQueue({ projectId: 'p1', queueId: 'q1' }, [...ids, 'x']),
    ).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(controlPlane.queueEntries({ ...query, queueId: 'q1', limit: 1_001 })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await stop(server);
  });

  it('asks how an event of a queue may be scored, and says that it is done', async () => {
    const { server, url } = await serve(createInternalApi({ controlPlane: inMemory(new Map()), identify }));
    const controlPlane = createHttpControlPlane({ url, token, timeoutMs: 2_000 });
    const event = { projectId: 'p1', queueId: 'q1', eventId: 'e1' };
    expect(await controlPlane.annotationMetrics({ ...event, names: ['tone'] })).toEqual([RULE]);
    expect(
      await controlPlane.annotationMetrics({ ...event, eventId: 'e2', names: ['tone'] }),
    ).toBeUndefined();
    expect(await controlPlane.markQueueEvent({ ...event, done: true, by: BY })).toEqual({
      ...ENTRY,
      done: true,
    });
    expect(
      await controlPlane.markQueueEvent({ ...event, done: true, by: { ...BY, keyId: 'k2' } }),
    ).toBeUndefined();
    await stop(server);
  });

  it('sends datapoints in requests of a bounded size, in order, and stops where the dataset is unknown', async () => {
    const kept: EventDatapoint[] = [];
    const sizes: number[] = [];
    const controlPlane: ControlPlane = {
      ...inMemory(new Map()),
      createDatapoints: ({ datasetId }, datapoints) =>
        Promise.resolve(kept.push(...datapoints) > 0 && datasetId !== 'unknown'),
    };
    const { server, url } = await serve(createInternalApi({ controlPlane, identify }));
    server.on('request', (request) => sizes.push(Number(request.headers['content-length'])));
    const client = createHttpControlPlane({ url, token, timeoutMs: 5_000 });
    const datapoints = Array.from({ length: 5 }, (_, index) => datapoint(`d${index}`, 'x'.repeat(1_500_000)));
    expect(await client.createDatapoints({ projectId: 'p1', datasetId: 'd1', by: BY }, datapoints)).toBe(
      true,
    );
    expect(JSON.stringify(kept)).toBe(JSON.stringify(datapoints));
    expect(sizes).toHaveLength(3);
    expect(Math.max(...sizes)).toBeLessThan(4.5 * 1024 * 1024);
    expect(await client.createDatapoints({ projectId: 'p1', datasetId: 'unknown', by: BY }, datapoints)).toBe(
      false,
    );
    expect(kept).toHaveLength(7);
    await stop(server);
  });

  it('asks without datapoints whether there is a dataset', async () => {
    const { server, url } = await serve(createInternalApi({ controlPlane: inMemory(new Map()), identify }));
    const controlPlane = createHttpControlPlane({ url, token, timeoutMs: 2_000 });
    for (const [datasetId, isThere] of [
      ['d1', true],
      ['d2', false],
      [undefined, true],
    ] as const) {
      expect(await controlPlane.createDatapoints({ projectId: 'p1', datasetId, by: BY }, [])).toBe(isThere);
    }
    const huge = datapoint('d', 'x'.repeat(34_000_000));
    await expect(controlPlane.createDatapoints({ projectId: 'p1', by: BY }, [huge])).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
    });
    await stop(server);
  });

  it('sends events in requests of a bounded size, in order', async () => {
    const sizes: number[] = [];
    const names: string[] = [];
    const receiving = inMemory(new Map());
    const keepNames = (batch: readonly ForwardedEvent[]) =>
      Promise.resolve(batch.forEach((told) => told.kind === 'event' && names.push(told.event.event_name)));
    const { server, url } = await serve(
      createInternalApi({ controlPlane: { ...receiving, forwardEvents: keepNames }, identify }),
    );
    server.on('request', (request) => sizes.push(Number(request.headers['content-length'])));
    const metadata = { text: 'x'.repeat(1_500_000) };
    const batch = Array.from({ length: 7 }, (_, index) =>
      forwardedEvent('p1', index, { event_name: `n${index}`, metadata }),
    );
    await createHttpControlPlane({ url, token, timeoutMs: 5_000 }).forwardEvents(batch);
    expect(names).toEqual(batch.map((_, index) => `n${index}`));
    expect(sizes).toHaveLength(4);
    expect(Math.max(...sizes)).toBeLessThan(4 * 1024 * 1024);
    await stop(server);
  });

  it('refuses an event that is too large for any request', async () => {
    const controlPlane = createHttpControlPlane({ url: 'http://127.0.0.1:9', token, timeoutMs: 2_000 });
    const huge = forwardedEvent('p1', 1, { metadata: { text: 'x'.repeat(33 * 1024 * 1024) } });
    await expect(controlPlane.forwardEvents([huge])).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  it('is UNAVAILABLE with the wrong token', async () => {
    const { server, url } = await serve(createInternalApi({ controlPlane: inMemory(new Map()), identify }));
    const controlPlane = createHttpControlPlane({ url, token: 'another', timeoutMs: 2_000 });
    await expect(controlPlane.authenticate('x'.repeat(30))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await stop(server);
  });

  it('keeps its connections open between calls', async () => {
    const { server, url } = await serve(createInternalApi({ controlPlane: inMemory(new Map()), identify }));
    let connections = 0;
    server.on('connection', () => connections++);
    const controlPlane = createHttpControlPlane({ url, token, timeoutMs: 2_000 });
    for (let n = 0; n < 20; n++) await controlPlane.authenticate('x'.repeat(30));
    expect(connections).toBeLessThanOrEqual(2);
    await stop(server);
  });
});

describe('createInternalApi', () => {
  const started = async () => {
    const broken: ControlPlane = {
      ...inMemory(new Map()),
      check: () => Promise.reject(unavailable('the store is away')),
    };
    return serve(createInternalApi({ controlPlane: broken, identify }));
  };
  const headers = { authorization: `Bearer ${token}` };

  it.each([
    ['no token', 401, {}, 'POST', '/internal/v1/keys/authenticate', '{"key":"x"}'],
    [
      'half a token',
      401,
      { authorization: `Bearer ${token.slice(0, 5)}` },
      'POST',
      '/internal/v1/keys/authenticate',
      '{"key":"x"}',
    ],
    ['no JSON', 400, headers, 'POST', '/internal/v1/keys/authenticate', 'key'],
    ['no key', 400, headers, 'POST', '/internal/v1/keys/authenticate', '{"__proto__":{"key":"x"}}'],
    [
      'a key that is an object',
      400,
      headers,
      'POST',
      '/internal/v1/keys/authenticate',
      '{"key":{"$ne":null}}',
    ],
    ['a body without end', 413, headers, 'POST', '/internal/v1/keys/authenticate', 'x'.repeat(100_000)],
    ['events without a list', 400, headers, 'POST', '/internal/v1/events', '{"events":{}}'],
    [
      'an event without fields',
      400,
      headers,
      'POST',
      '/internal/v1/events',
      '{"events":[{"kind":"event","version":1,"arrivedAt":1,"event":{}}]}',
    ],
    [
      'a delete of nothing',
      400,
      headers,
      'POST',
      '/internal/v1/events',
      '{"events":[{"kind":"delete","version":1}]}',
    ],
    [
      'a version that is no number',
      400,
      headers,
      'POST',
      '/internal/v1/events',
      '{"events":[{"kind":"delete","version":{"$gt":0}}]}',
    ],
    ['events without the token', 401, {}, 'POST', '/internal/v1/events', '{"events":[]}'],
    ['another path', 404, headers, 'POST', '/internal/v1/keys', '{}'],
    ['a store that is away', 503, headers, 'GET', '/internal/v1/check', undefined],
  ])('answers %s with %i and an error body', async (_name, status, requestHeaders, method, path, body) => {
    const { server, url } = await started();
    const response = await fetch(url + path, {
      method,
      headers: requestHeaders as Record<string, string>,
      body,
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      statusCode: status,
      success: false,
      message: expect.any(String) as string,
    });
    await stop(server);
  });
});
