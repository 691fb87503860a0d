import { internalApi } from '@assay/contracts';
import {
  createHttpControlPlane,
  type ControlPlane,
  type EventDatapoint,
  type ForwardedEvent,
} from '@assay/control-plane-client';
import {
  describeControlPlane,
  forwardedEvent,
} from '@assay/control-plane-client/test/control-plane-contract';
import { issuedKey } from '@assay/control-plane-client/test/issued-key';
import { serveListener } from '@assay/control-plane-client/test/serve-listener';
import type { Caller, JsonObject } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { sharedTokenDataPlane } from '@assay/http';
import {
  BACKFILL,
  BY,
  CHART,
  COUNTS,
  datapoint,
  DELETED_PROJECT,
  ENTRY,
  FILTER,
  ForwardedStates,
  inMemoryControlPlane,
  RULE,
  RUN,
} from '../../test/in-memory-control-plane.js';
import { createInternalApi } from './create-internal-api.js';

const token = 'token-of-the-control-plane';
const identifyDataPlane = sharedTokenDataPlane(token);
const caller: Caller = { projectId: 'p1', projectName: 'bot', keyId: 'k1', scope: 'ingest' };

const serveApi = (controlPlane: ControlPlane = inMemoryControlPlane(new Map())) =>
  serveListener(createInternalApi({ controlPlane, identifyDataPlane }));

describeControlPlane('over HTTP', async () => {
  const { text } = issuedKey('ingest');
  const events = new ForwardedStates();
  const { url, stop } = await serveApi(inMemoryControlPlane(new Map([[text, caller]]), events));
  return {
    controlPlane: createHttpControlPlane({ url, token, timeoutMs: 60_000 }),
    key: text,
    caller,
    endedKeys: [issuedKey('ingest').text],
    run: RUN,
    chartId: CHART.id,
    deletedProject: DELETED_PROJECT,
    kept: (sessionId) => Promise.resolve(events.kept(sessionId)),
    queued: () => Promise.resolve(events.queuedEvents()),
    disconnect: stop,
    stop,
  };
});

describe('the internal API, called by the HTTP client', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  const connect = async (served?: ControlPlane, timeoutMs = 60_000) => {
    const { server, url, stop } = await serveApi(served);
    stops.push(stop);
    return { server, controlPlane: createHttpControlPlane({ url, token, timeoutMs }) };
  };

  it('lists the events of a queue, reads its filters, adds to it, and finds no other queue', async () => {
    const { controlPlane } = await connect();
    const query = { projectId: 'p1', limit: 7, offset: 0 };
    expect(await controlPlane.queueEntries({ ...query, queueId: 'q1', isDone: false })).toEqual({
      total: 7,
      entries: [ENTRY],
      counts: COUNTS,
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
  });

  it('starts and claims the backfill of a queue, and finds no other queue', async () => {
    const { controlPlane } = await connect();
    const backfill = { projectId: 'p1', queueId: 'q1', from: null, to: 2_000, owner: 'o', by: BY };
    expect(await controlPlane.startBackfill(backfill)).toEqual({ outcome: 'started', job: BACKFILL });
    expect(await controlPlane.startBackfill({ ...backfill, queueId: 'q2' })).toEqual({
      outcome: 'no_queue',
      job: null,
    });
    const claim = { owner: 'o', projectIds: [], busyProjectIds: [] };
    expect(await controlPlane.claimBackfill(claim)).toEqual(BACKFILL);
    expect(await controlPlane.claimBackfill({ ...claim, busyProjectIds: ['p1'] })).toBeUndefined();
  });

  it('lists the metrics that score an event of a queue, and marks the event as done', async () => {
    const { controlPlane } = await connect();
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
    const hold = { ...event, action: 'hold', annotator: 'anna', version: 3, status: 'done' } as const;
    expect(await controlPlane.leaseQueueEvent(hold)).toEqual({ outcome: 'ok', entry: ENTRY, counts: COUNTS });
    expect(await controlPlane.leaseQueueEvent({ ...hold, eventId: 'e2' })).toEqual({
      outcome: 'no_event',
      entry: null,
      counts: null,
    });
  });

  it('receives datapoints in requests of a bounded size, in order, and stops at an unknown dataset', async () => {
    const kept: EventDatapoint[] = [];
    const sizes: number[] = [];
    const { server, controlPlane } = await connect(
      {
        ...inMemoryControlPlane(new Map()),
        createDatapoints: ({ datasetId }, datapoints) =>
          Promise.resolve(kept.push(...datapoints) > 0 && datasetId !== 'unknown'),
      },
      5_000,
    );
    server.on('request', (request) => sizes.push(Number(request.headers['content-length'])));
    const datapoints = Array.from({ length: 5 }, (_, index) => datapoint(`d${index}`, 'x'.repeat(1_500_000)));
    const target = { projectId: 'p1', by: BY };
    expect(await controlPlane.createDatapoints({ ...target, datasetId: 'd1' }, datapoints)).toBe(true);
    expect(JSON.stringify(kept)).toBe(JSON.stringify(datapoints));
    expect(sizes).toHaveLength(3);
    expect(Math.max(...sizes)).toBeLessThan(4.5 * 1024 * 1024);
    expect(await controlPlane.createDatapoints({ ...target, datasetId: 'unknown' }, datapoints)).toBe(false);
    expect(kept).toHaveLength(7);
  });

  it('checks without datapoints whether a dataset exists', async () => {
    const { controlPlane } = await connect();
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
  });

  it('receives events in requests of a bounded size, in order', async () => {
    const sizes: number[] = [];
    const names: string[] = [];
    const keepNames = (batch: readonly ForwardedEvent[]) =>
      Promise.resolve(batch.forEach((one) => one.kind === 'event' && names.push(one.event.event_name)));
    const { server, controlPlane } = await connect(
      { ...inMemoryControlPlane(new Map()), forwardEvents: keepNames },
      5_000,
    );
    server.on('request', (request) => sizes.push(Number(request.headers['content-length'])));
    const metadata = { text: 'x'.repeat(1_500_000) };
    const batch = Array.from({ length: 7 }, (_, index) =>
      forwardedEvent('p1', index, { event_name: `n${index}`, metadata }),
    );
    await controlPlane.forwardEvents(batch);
    expect(names).toEqual(batch.map((_, index) => `n${index}`));
    expect(sizes).toHaveLength(4);
    expect(Math.max(...sizes)).toBeLessThan(4 * 1024 * 1024);
  });

  it('receives events that are deeper and have more keys than one request of the public API may have', async () => {
    const received: ForwardedEvent[] = [];
    const { controlPlane } = await connect({
      ...inMemoryControlPlane(new Map()),
      forwardEvents: (batch) => Promise.resolve(void received.push(...batch)),
    });
    const deep = JSON.parse(`{"a":${'['.repeat(100)}1${']'.repeat(100)}}`) as JsonObject;
    const wide = Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`k${index}`, index]));
    const sent = forwardedEvent('p1', 1, { inputs: deep, metadata: wide });
    await controlPlane.forwardEvents([sent]);
    expect(received).toEqual([sent]);
  });

  it('keeps its connections open between calls', async () => {
    const { server, controlPlane } = await connect();
    let connections = 0;
    server.on('connection', () => connections++);
    for (let n = 0; n < 20; n++) await controlPlane.authenticate('x'.repeat(30));
    expect(connections).toBeLessThanOrEqual(2);
  });

  it('is UNAVAILABLE with the wrong token', async () => {
    const { url, stop } = await serveApi();
    stops.push(stop);
    const controlPlane = createHttpControlPlane({ url, token: 'another', timeoutMs: 60_000 });
    await expect(controlPlane.authenticate('x'.repeat(30))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('rejects a fifth batch while four are being stored, and still authenticates keys', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let storing = 0;
    const { controlPlane } = await connect({
      ...inMemoryControlPlane(new Map([['k'.repeat(20), caller]])),
      forwardEvents: () => {
        storing++;
        return released;
      },
    });
    const send = () => controlPlane.forwardEvents([forwardedEvent('p1', 1)]).then(() => 'stored');
    const outcomes = Array.from({ length: 5 }, () => send().catch((error: { code: string }) => error.code));
    expect(await Promise.race(outcomes)).toBe('UNAVAILABLE');
    expect(storing).toBeLessThanOrEqual(4);
    expect(await controlPlane.authenticate('k'.repeat(20))).toEqual(caller);
    release();
    expect((await Promise.all(outcomes)).sort()).toEqual(['UNAVAILABLE', ...Array<string>(4).fill('stored')]);
  });
});

describe('createInternalApi', () => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const withoutToken = { 'content-type': 'application/json' };
  const authenticate = internalApi.authenticateKey.path;

  const key = { path: authenticate, body: '{"key":"x"}' };
  const events = (body: string) => ({ path: '/internal/v1/events', body });

  it.each<[string, number, { headers?: Record<string, string>; path: string; body?: string }]>([
    ['no token', 401, { ...key, headers: withoutToken }],
    [
      'half a token',
      401,
      { ...key, headers: { ...withoutToken, authorization: `Bearer ${token.slice(0, 5)}` } },
    ],
    ['no JSON', 400, { ...key, body: 'key' }],
    ['no key', 400, { ...key, body: '{"__proto__":{"key":"x"}}' }],
    ['a key that is an object', 400, { ...key, body: '{"key":{"$ne":null}}' }],
    ['a body without end', 413, { ...key, body: 'x'.repeat(100_000) }],
    ['events without a list', 400, events('{"events":{}}')],
    [
      'an event without fields',
      400,
      events('{"events":[{"kind":"event","version":1,"arrivedAt":1,"event":{}}]}'),
    ],
    ['a delete of nothing', 400, events('{"events":[{"kind":"delete","version":1}]}')],
    ['a version that is no number', 400, events('{"events":[{"kind":"delete","version":{"$gt":0}}]}')],
    ['events without the token', 401, { ...events('{"events":[]}'), headers: withoutToken }],
    ['another path', 404, { path: '/internal/v1/keys', body: '{}' }],
    ['an unavailable store', 503, { path: '/internal/v1/check' }],
  ])('responds to %s with %i and an error body', async (_name, status, { path, ...sent }) => {
    const { url, stop } = await serveApi({
      ...inMemoryControlPlane(new Map()),
      check: () => Promise.reject(unavailable('store unavailable')),
    });
    const response = await fetch(url + path, {
      method: sent.body === undefined ? 'GET' : 'POST',
      headers,
      ...sent,
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      statusCode: status,
      success: false,
      message: expect.any(String) as string,
    });
    await stop();
  });
});
