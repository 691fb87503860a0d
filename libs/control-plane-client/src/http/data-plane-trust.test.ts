import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Caller } from '@assay/domain';
import { forwardedEvent } from '../control-plane-contract.js';
import type { ControlPlane, ForwardedEvent, RequestClaim } from '../control-plane.js';
import type { DataPlane } from '../data-plane/data-plane.js';
import { createHttpControlPlane, type HttpControlPlaneOptions } from './create-http-control-plane.js';
import { createInternalApi } from './internal-api.js';
import { INTERNAL_ROUTES, projectOf } from './internal-routes.js';

const token = 'token-of-the-data-plane';
const callerOf = (projectId: string): Caller => ({
  projectId,
  projectName: 'bot',
  keyId: 'k1',
  scope: 'project',
});
const QUEUE = { queueId: 'q1' };
const BY = { keyId: 'k1', requestId: 'r1', address: '127.0.0.1' };

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const CLAIM = { key: 'a'.repeat(64), content: 'b'.repeat(64), at: 1 };

/** Knows every project, and what it was told. */
class Everything implements ControlPlane {
  readonly told: ForwardedEvent[] = [];
  readonly asked: string[] = [];
  authenticate = (key: string) => Promise.resolve(callerOf(key));
  forwardEvents = (batch: readonly ForwardedEvent[]) => Promise.resolve(void this.told.push(...batch));
  queueEntries = ({ projectId }: { projectId: string }) => this.about(projectId, { total: 0, entries: [] });
  queueFilters = ({ projectId }: { projectId: string }) => this.about(projectId, []);
  addToQueue = ({ projectId }: { projectId: string }) => this.about(projectId, true);
  annotationMetrics = ({ projectId }: { projectId: string }) => this.about(projectId, []);
  markQueueEvent = ({ projectId }: { projectId: string }) => this.about(projectId, undefined);
  createDatapoints = ({ projectId }: { projectId: string }) => this.about(projectId, true);
  claimRequest = ({ projectId, content, at }: RequestClaim) => this.about(projectId, { content, at });
  check = () => Promise.resolve();

  private about<T>(projectId: string, answer: T): Promise<T> {
    this.asked.push(projectId);
    return Promise.resolve(answer);
  }
}

async function boundToA(options: Partial<HttpControlPlaneOptions> = {}) {
  const everything = new Everything();
  const dataPlane: DataPlane = {
    id: 'dp1',
    mayActFor: (projectId) => projectId === 'a',
    vouchesForAdministration: false,
  };
  const identify = (sent: string) => Promise.resolve(sent === token ? dataPlane : undefined);
  const url = await serve(createInternalApi({ controlPlane: everything, identify }));
  return {
    everything,
    url,
    controlPlane: createHttpControlPlane({ url, token, timeoutMs: 5_000, ...options }),
  };
}

describe('a token that is bound to project a', () => {
  it('knows no key of project b', async () => {
    const { controlPlane } = await boundToA();
    expect(await controlPlane.authenticate('a')).toEqual(callerOf('a'));
    expect(await controlPlane.authenticate('b')).toBeUndefined();
  });

  const calls = [
    'queueEntries',
    'queueFilters',
    'addToQueue',
    'annotationMetrics',
    'markQueueEvent',
    'createDatapoints',
    'claimRequest',
  ] as const;
  it.each(calls)('is refused %s of project b', async (call) => {
    const { controlPlane, everything } = await boundToA();
    const ask = (projectId: string): Promise<unknown> =>
      ({
        queueEntries: () => controlPlane.queueEntries({ projectId, ...QUEUE, limit: 1, offset: 0 }),
        queueFilters: () => controlPlane.queueFilters({ projectId, ...QUEUE }),
        addToQueue: () => controlPlane.addToQueue({ projectId, ...QUEUE }, ['e1']),
        annotationMetrics: () =>
          controlPlane.annotationMetrics({ projectId, ...QUEUE, eventId: 'e1', names: ['tone'] }),
        markQueueEvent: () =>
          controlPlane.markQueueEvent({ projectId, ...QUEUE, eventId: 'e1', done: true, by: BY }),
        createDatapoints: () => controlPlane.createDatapoints({ projectId, by: BY }, []),
        claimRequest: () => controlPlane.claimRequest({ projectId, ...CLAIM }),
      })[call]();
    await ask('a');
    await expect(ask('b')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(everything.asked).toEqual(['a']);
  });

  it('is refused every call about project b, by a clear error', async () => {
    const { url, everything } = await boundToA();
    const body = {
      projectId: 'b',
      ...QUEUE,
      limit: 1,
      offset: 0,
      eventId: 'e1',
      eventIds: ['e1'],
      names: ['tone'],
      done: true,
      by: BY,
      datapoints: [],
      ...CLAIM,
      events: [forwardedEvent('a', 1), forwardedEvent('b', 1)],
    };
    for (const { path } of INTERNAL_ROUTES) {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const answer: unknown = await response.json();
      if (path.endsWith('/authenticate')) expect(answer).toEqual({ caller: null });
      else
        expect(answer).toEqual({
          statusCode: 403,
          message: 'the token of this data plane is not bound to the project',
          success: false,
          errorCode: 'FORBIDDEN',
          projectIds: ['b'],
        });
    }
    expect([everything.told, everything.asked]).toEqual([[], []]);
  });

  it('leaves out the events of project b, and tells those of project a', async () => {
    const refused: string[] = [];
    const { controlPlane, everything } = await boundToA({ onForeignProjects: (ids) => refused.push(...ids) });
    const batch = ['a', 'b', 'a', 'c', 'b'].map((projectId, version) => forwardedEvent(projectId, version));
    const gone: ForwardedEvent = {
      kind: 'delete',
      version: 9,
      projectId: 'b',
      eventId: batch[1]!.event.event_id,
    };
    await controlPlane.forwardEvents([...batch, gone]);
    expect(everything.told.map((told) => [projectOf(told), told.version])).toEqual([
      ['a', 0],
      ['a', 2],
    ]);
    expect(refused.sort()).toEqual(['b', 'c']);
    await controlPlane.forwardEvents([forwardedEvent('b', 1)]);
    expect(everything.told).toHaveLength(2);
  });
});

describe('somebody who pretends to be the control plane', () => {
  const asking = (url: string, options: Partial<HttpControlPlaneOptions> = {}) =>
    createHttpControlPlane({ url, token, timeoutMs: 2_000, ...options });
  const answering = (body: unknown, status = 200, headers: Record<string, string> = {}): RequestListener => {
    return (request, response) => {
      request
        .resume()
        .on('end', () =>
          response.writeHead(status, headers).end(Buffer.isBuffer(body) ? body : JSON.stringify(body)),
        );
    };
  };
  const entry = (eventId: string) => ({
    eventId,
    addedAt: '2026-11-01T00:00:00.000Z',
    done: false,
    doneAt: null,
  });

  it('cannot have the token or a key sent to another address', async () => {
    const reached: IncomingHttpHeaders[] = [];
    const elsewhere = await serve((request, response) => {
      reached.push(request.headers);
      response.end('{"caller":null}');
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await serve(
        answering({}, status, { location: `${elsewhere}/internal/v1/keys/authenticate` }),
      );
      await expect(asking(url).authenticate('x')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(asking(url).forwardEvents([forwardedEvent('a', 1)])).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
    }
    expect(reached).toEqual([]);
  });

  it('cannot say that a key belongs to a project that is not served here', async () => {
    const url = await serve(answering({ caller: callerOf('b') }));
    await expect(asking(url, { projectIds: ['a'] }).authenticate('x')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(await asking(url, { projectIds: ['a', 'b'] }).authenticate('x')).toEqual(callerOf('b'));
    expect(await asking(url).authenticate('x')).toEqual(callerOf('b'));
  });

  it.each([
    ['a caller whose name is endless', { caller: { ...callerOf('a'), projectName: 'x'.repeat(2_000) } }],
    ['a caller that is a list', { caller: [callerOf('a')] }],
    ['a caller that is inherited', { toString: 'x' }],
    ['nothing but a list', []],
  ])('is not believed %s', async (_name, body) => {
    const url = await serve(answering(body));
    await expect(asking(url).authenticate('x')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it.each([
    ['more events of a queue than were asked for', { page: { total: 9, entries: ['a', 'b'].map(entry) } }],
    ['an event of a queue without an id', { page: { total: 1, entries: [{ ...entry('a'), eventId: 7 }] } }],
    ['a number of events that is none', { page: { total: -1, entries: [] } }],
    ['a page that is missing', {}],
  ])('is not believed %s', async (_name, body) => {
    const url = await serve(answering(body));
    const asked = asking(url).queueEntries({ projectId: 'a', ...QUEUE, limit: 1, offset: 0 });
    await expect(asked).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('is not believed that it refuses projects that it was not told about', async () => {
    const url = await serve(answering({ errorCode: 'FORBIDDEN', projectIds: ['z', 7, null] }, 403));
    await expect(asking(url).forwardEvents([forwardedEvent('a', 1)])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    const silent = await serve(answering({ errorCode: 'FORBIDDEN' }, 403));
    await expect(asking(silent).forwardEvents([forwardedEvent('a', 1)])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });

  it('is not listened to without end, whether it sends much or packs much into little', async () => {
    let sent = 0;
    const endless = await serve((_request, response) => {
      const piece = Buffer.alloc(65_536, ' ');
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    await expect(asking(endless, { timeoutMs: 20_000 }).authenticate('x')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const packed = await serve(answering(bomb, 200, { 'content-encoding': 'gzip' }));
    await expect(asking(packed, { timeoutMs: 20_000 }).authenticate('x')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });
});
