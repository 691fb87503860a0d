import { once } from 'node:events';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Caller } from '@assay/domain';
import { forwardedEvent } from '../../test/control-plane-contract.js';
import { serveListener } from '../../test/serve-listener.js';
import { createHttpControlPlane, type HttpControlPlaneOptions } from './create-http-control-plane.js';

const token = 'token-of-the-data-plane';
const callerOf = (projectId: string): Caller => ({
  projectId,
  projectName: 'bot',
  keyId: 'k1',
  scope: 'ingest',
});
const caller = callerOf('p1');
const connect = (url: string, options: Partial<HttpControlPlaneOptions> = {}) =>
  createHttpControlPlane({ url, token, timeoutMs: 2_000, ...options });

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function serve(listener: RequestListener): Promise<string> {
  const { url, stop } = await serveListener(listener);
  stops.push(stop);
  return url;
}

/** Responds once the request has arrived. */
function respondWith(body: unknown, status = 200, headers: Record<string, string> = {}): RequestListener {
  return (request, response) => {
    request
      .resume()
      .on('end', () =>
        response.writeHead(status, headers).end(Buffer.isBuffer(body) ? body : JSON.stringify(body)),
      );
  };
}

describe('createHttpControlPlane', () => {
  const outcomesWith = async (listener: RequestListener) => {
    const controlPlane = connect(await serve(listener), { timeoutMs: 200, forwardTimeoutMs: 200 });
    const calls = [
      controlPlane.authenticate('x'.repeat(30)),
      controlPlane.forwardEvents([forwardedEvent('p1', 1)]),
    ];
    return Promise.all(
      calls.map((call) =>
        call.then(
          () => 'resolved',
          (error: { code: string }) => error.code,
        ),
      ),
    );
  };

  it('gives up the look-up of a key before other calls', async () => {
    const url = await serve(() => undefined);
    const controlPlane = connect(url, { timeoutMs: 600_000, admissionTimeoutMs: 50 });
    await expect(controlPlane.authenticate('x'.repeat(30))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  describe('with connections that break before a response', () => {
    const breaking = async (broken: number) => {
      let requests = 0;
      const url = await serve((request, response) => {
        requests += 1;
        if (requests <= broken) request.socket.destroy();
        else respondWith({ caller: null })(request, response);
      });
      return { controlPlane: connect(url), requests: () => requests };
    };

    it('repeats a look-up once', async () => {
      const { controlPlane, requests } = await breaking(1);
      expect(await controlPlane.authenticate('x'.repeat(30))).toBeUndefined();
      expect(requests()).toBe(2);
    });

    it('reports the second failure of a look-up', async () => {
      const { controlPlane, requests } = await breaking(2);
      await expect(controlPlane.authenticate('x'.repeat(30))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      expect(requests()).toBe(2);
    });

    it('repeats a look-up whose connection is silent, on another', async () => {
      const ports: (number | undefined)[] = [];
      const isClosed: Promise<unknown>[] = [];
      const url = await serve((request, response) => {
        ports.push(request.socket.remotePort);
        isClosed.push(once(request.socket, 'close'));
        if (ports.length !== 2) respondWith({ caller: null })(request, response);
      });
      const controlPlane = connect(url, { admissionTimeoutMs: 6_000 });
      for (const key of ['x', 'y']) expect(await controlPlane.authenticate(key.repeat(30))).toBeUndefined();
      expect(ports).toHaveLength(3);
      expect(ports[2]).not.toBe(ports[1]);
      await isClosed[1];
    });

    it('does not repeat what writes', async () => {
      const { controlPlane, requests } = await breaking(1);
      await expect(controlPlane.forwardEvents([forwardedEvent('p1', 1)])).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
      expect(requests()).toBe(1);
    });
  });

  it.each<[string, RequestListener]>([
    ['a server that never responds', () => undefined],
    ['a connection that is reset', (request) => request.socket.destroy()],
    [
      'a response that breaks off',
      (_request, response) =>
        response.writeHead(200, { 'content-length': '99' }).write('{"cal', () => response.destroy()),
    ],
    ['status 500', (_request, response) => response.writeHead(500).end('{"caller":null}')],
    ['a redirect', (_request, response) => response.writeHead(302, { location: '/' }).end()],
    ['a page', (_request, response) => response.end('<html>')],
    ['an empty object', (_request, response) => response.end('{}')],
    ['status 413 of a proxy', (_request, response) => response.writeHead(413).end('{"error":"too large"}')],
    [
      'a caller without a project',
      (_request, response) => response.end('{"caller":{"keyId":"k","scope":"project"}}'),
    ],
    [
      'a caller with an unknown scope',
      (_request, response) => response.end(JSON.stringify({ caller: { ...caller, scope: 'all' } })),
    ],
  ])('treats %s as an unavailable control plane', async (_name, listener) => {
    expect(await outcomesWith(listener)).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
  });

  it.each([
    ['VALIDATION_ERROR', 400],
    ['PAYLOAD_TOO_LARGE', 413],
  ] as const)('reports that the control plane will never accept an event: %s', async (errorCode, status) => {
    const url = await serve(respondWith({ statusCode: status, success: false, errorCode }, status));
    await expect(connect(url).forwardEvents([forwardedEvent('p1', 1)])).rejects.toMatchObject({
      code: errorCode,
    });
  });

  it('cancels the calls of a client that has disconnected', async () => {
    const arrived: (() => void)[] = [];
    const cancelled: Promise<unknown>[] = [];
    const url = await serve((request) => {
      cancelled.push(new Promise((resolve) => request.once('close', resolve)));
      arrived.shift()?.();
    });
    const controlPlane = connect(url, { timeoutMs: 60_000 });
    const queue = { projectId: 'p1', queueId: 'q1' };
    const name = { ...queue, eventId: 'e1' };
    const by = { keyId: 'k1', requestId: 'r', address: '127.0.0.1' } as never;
    const calls: ((options: { signal: AbortSignal }) => Promise<unknown>)[] = [
      (options) => controlPlane.queueEntries({ ...queue, limit: 1, offset: 0 }, options),
      (options) => controlPlane.queueFilters(queue, options),
      (options) => controlPlane.addToQueue(queue, ['e1'], options),
      (options) => controlPlane.annotationMetrics({ ...name, names: ['tone'] }, options),
      (options) => controlPlane.markQueueEvent({ ...name, done: true, by }, options),
      (options) => controlPlane.leaseQueueEvent({ ...queue, action: 'next', annotator: 'a' }, options),
    ];
    for (const call of calls) {
      const client = new AbortController();
      const hasArrived = new Promise<void>((resolve) => arrived.push(resolve));
      const outcome = expect(call({ signal: client.signal })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await hasArrived;
      client.abort();
      await outcome;
    }
    await Promise.all(cancelled);
    expect(cancelled).toHaveLength(calls.length);
  });

  it('refuses an event that is too large for any request', async () => {
    const controlPlane = connect('http://127.0.0.1:9');
    const numbers = new Array<number>(3 * 1024 * 1024).fill(1_234_567_890);
    const huge = forwardedEvent('p1', 1, { metadata: { numbers } });
    await expect(controlPlane.forwardEvents([huge])).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });
});

describe('a server that impersonates the control plane', () => {
  const entry = (eventId: string) => ({
    eventId,
    addedAt: '2026-11-01T00:00:00.000Z',
    done: false,
    doneAt: null,
  });

  it('cannot redirect the token or a key to another address', async () => {
    const reached: IncomingHttpHeaders[] = [];
    const elsewhere = await serve((request, response) => {
      reached.push(request.headers);
      response.end('{"caller":null}');
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${elsewhere}/internal/v1/keys/authenticate`;
      const url = await serve(respondWith({}, status, { location }));
      await expect(connect(url).authenticate('x')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      await expect(connect(url).forwardEvents([forwardedEvent('a', 1)])).rejects.toMatchObject({
        code: 'UNAVAILABLE',
      });
    }
    expect(reached).toEqual([]);
  });

  it('refuses people for a project that is not served here, without a failed look-up', async () => {
    const url = await serve(respondWith({ caller: callerOf('b'), refusal: null }));
    expect(await connect(url, { projectIds: ['a'] }).authenticatePerson('x', 'b')).toEqual({
      caller: null,
      refusal: { code: 'FORBIDDEN', message: 'this data plane does not serve the project' },
    });
    expect(await connect(url).authenticatePerson('x', 'b')).toEqual({ caller: callerOf('b'), refusal: null });
  });

  it('cannot assign a key to a project that is not served here', async () => {
    const url = await serve(respondWith({ caller: callerOf('b') }));
    await expect(connect(url, { projectIds: ['a'] }).authenticate('x')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(await connect(url, { projectIds: ['a', 'b'] }).authenticate('x')).toEqual(callerOf('b'));
    expect(await connect(url).authenticate('x')).toEqual(callerOf('b'));
  });

  it.each([
    ['a caller with an endless name', { caller: { ...callerOf('a'), projectName: 'x'.repeat(2_000) } }],
    ['a caller that is a list', { caller: [callerOf('a')] }],
    ['a caller that is inherited', { toString: 'x' }],
    ['a list', []],
  ])('is not believed %s', async (_name, body) => {
    const url = await serve(respondWith(body));
    await expect(connect(url).authenticate('x')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it.each([
    ['more events of a queue than the limit', { page: { total: 9, entries: ['a', 'b'].map(entry) } }],
    ['an event of a queue without an id', { page: { total: 1, entries: [{ ...entry('a'), eventId: 7 }] } }],
    ['a negative number of events', { page: { total: -1, entries: [] } }],
    ['a page that is missing', {}],
  ])('is not believed %s', async (_name, body) => {
    const url = await serve(respondWith(body));
    const page = connect(url).queueEntries({ projectId: 'a', queueId: 'q1', limit: 1, offset: 0 });
    await expect(page).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it.each([
    ['projects that were not in the request', { errorCode: 'FORBIDDEN', projectIds: ['z'] }],
    ['projects that are no texts', { errorCode: 'FORBIDDEN', projectIds: ['z', 7, null] }],
    ['no projects', { errorCode: 'FORBIDDEN' }],
  ])('is not believed that it refuses %s', async (_name, body) => {
    const url = await serve(respondWith(body, 403));
    await expect(connect(url).forwardEvents([forwardedEvent('a', 1)])).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });

  it('is not read without end, whether the response is long or expands when it is decompressed', async () => {
    let sent = 0;
    const endless = await serve((_request, response) => {
      const piece = Buffer.alloc(65_536, ' ');
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    await expect(connect(endless, { timeoutMs: 20_000 }).authenticate('x')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    const packed = await serve(respondWith(bomb, 200, { 'content-encoding': 'gzip' }));
    await expect(connect(packed, { timeoutMs: 20_000 }).authenticate('x')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
  });
});
