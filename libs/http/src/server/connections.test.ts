import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { listProjects } from '@assay/contracts';
import { createMetrics } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import { sampleApp } from '../../test/sample-app.js';
import { bind } from '../routing/bind.js';
import { listen, type ListeningServer, type ListenOptions } from './listen.js';

const KEY = 'Authorization: Bearer project-key\r\n';
const OTHER_KEY = 'Authorization: Bearer other-key\r\n';
const opened: ListeningServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map((listening) => listening.close(0)));
});

async function start(options: Partial<ListenOptions>) {
  const metrics = createMetrics({ processMetrics: false });
  const { listener } = sampleApp();
  const listening = await listen({ host: '127.0.0.1', port: 0, listener, metrics, ...options });
  opened.push(listening);
  const count = async (state: string) =>
    Number(
      new RegExp(`^assay_http_connections\\{state="${state}"\\} (\\d+)$`, 'm').exec(
        await metrics.text(),
      )?.[1],
    );
  return { port: listening.port, count, text: () => metrics.text() };
}

/** Opens a connection whose closing is not an error. */
async function dial(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends a request and returns the status; undefined when the connection is closed without a response. */
async function statusOf(socket: Socket, headers = ''): Promise<number | undefined> {
  const first = Promise.race([
    once(socket, 'data').then(([data]) => String(data)),
    once(socket, 'close').then(() => ''),
  ]);
  socket.write(`GET /v1/projects HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  const status = /^HTTP\/1.1 (\d+)/.exec(await first)?.[1];
  return status === undefined ? undefined : Number(status);
}

describe('the maximum of connections', () => {
  it('evicts idle connections without authentication first, so that clients with a key can connect', async () => {
    const { port, count, text } = await start({ limits: { maxConnections: 50 } });
    const known = await dial(port);
    expect(await statusOf(known, KEY)).toBe(200);
    for (let n = 0; n < 200; n++) await dial(port);
    await waitFor('the maximum is kept', async () => (await count('unauthenticated')) === 49);
    expect(await statusOf(await dial(port), KEY)).toBe(200);
    expect(await statusOf(known, KEY)).toBe(200);
    expect(await count('idle')).toBe(2);
    expect(await text()).toMatch(/^assay_http_connections_closed_total\{reason="evicted"\} 15[0-9]$/m);
  });

  it('evicts a connection whose key was rejected', async () => {
    const { port } = await start({ limits: { maxConnections: 1 } });
    const rejected = await dial(port);
    expect(await statusOf(rejected, 'Authorization: Bearer wrong-key\r\n')).toBe(401);
    const closed = once(rejected, 'close');
    expect(await statusOf(await dial(port), KEY)).toBe(200);
    await closed;
  });

  it('evicts the least recently used idle connection when all have authenticated', async () => {
    const { port } = await start({ limits: { maxConnections: 2 } });
    const [older, newer] = [await dial(port), await dial(port)];
    for (const socket of [older, newer, older]) expect(await statusOf(socket, KEY)).toBe(200);
    const closed = once(newer, 'close');
    expect(await statusOf(await dial(port), KEY)).toBe(200);
    await closed;
    expect(await statusOf(older, KEY)).toBe(200);
  });

  it('refuses a new connection when all others have complete requests that are pending', async () => {
    const release: (() => void)[] = [];
    const operation = bind(listProjects, async () => {
      await new Promise<void>((resolve) => release.push(resolve));
      return [];
    });
    const { listener } = sampleApp({ bindings: [operation] });
    const { port, count, text } = await start({ listener, limits: { maxConnections: 1 } });
    const status = statusOf(await dial(port), KEY);
    await waitFor('the request is pending', async () => (await count('active')) === 1 && release.length > 0);
    expect(await statusOf(await dial(port), KEY)).toBeUndefined();
    expect(await text()).toContain('assay_http_connections_closed_total{reason="full"} 1');
    for (const one of release) one();
    expect(await status).toBe(200);
  });

  it('lets an address with few connections open some beyond it beside a burst of pending requests, and keeps these', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const operation = bind(listProjects, () => released.then(() => []));
    const { listener } = sampleApp({ bindings: [operation] });
    const { port, count } = await start({ listener, limits: { maxConnections: 32 } });
    const statuses = [];
    for (let n = 0; n < 32; n++) statuses.push(statusOf(await dial(port, '127.0.0.2'), KEY));
    await waitFor('the requests are pending', async () => (await count('active')) === 32);
    const few = [await dial(port), await dial(port)];
    for (let n = 0; n < 5; n++) expect(await statusOf(await dial(port, '127.0.0.2'), KEY)).toBeUndefined();
    statuses.push(...few.map((socket) => statusOf(socket, OTHER_KEY)));
    await waitFor('all are pending', async () => (await count('active')) === 34);
    expect(await statusOf(await dial(port), OTHER_KEY)).toBeUndefined();
    release();
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
  });

  it('keeps the connections of one project when another one opens more', async () => {
    const { port } = await start({ limits: { maxConnections: 10 } });
    const small = await dial(port);
    expect(await statusOf(small, OTHER_KEY)).toBe(200);
    for (let n = 0; n < 30; n++) expect(await statusOf(await dial(port), KEY)).toBe(200);
    expect(await statusOf(small, OTHER_KEY)).toBe(200);
  });

  it('leaves a new connection time for its first request beside a project with most of the connections', async () => {
    const { port } = await start({ limits: { maxConnections: 10 } });
    for (let n = 0; n < 9; n++) expect(await statusOf(await dial(port), KEY)).toBe(200);
    const fresh = await dial(port);
    for (let n = 0; n < 30; n++) expect(await statusOf(await dial(port), KEY)).toBe(200);
    expect(await statusOf(fresh, OTHER_KEY)).toBe(200);
  });

  it('evicts connections without authentication of the address that has most of them', async () => {
    const { port } = await start({ limits: { maxConnections: 50 } });
    const fresh = await dial(port);
    for (let n = 0; n < 150; n++) await dial(port, '127.0.0.2');
    expect(await statusOf(fresh, KEY)).toBe(200);
  });

  it('is separate for each address, except for exempt ones: a new connection replaces one of its address', async () => {
    const limited = await start({ limits: { maxPerAddress: 2 } });
    const exempt = await start({
      limits: { maxPerAddress: 2, isExempt: (address) => address === '127.0.0.1' },
    });
    const closed = [];
    for (const { port, text } of [limited, exempt]) {
      const known = await dial(port);
      expect(await statusOf(known, KEY)).toBe(200);
      for (let n = 0; n < 3; n++) await dial(port);
      expect(await statusOf(known, KEY)).toBe(200);
      closed.push(/^assay_http_connections_closed_total\{reason="address"\} (\d)$/m.exec(await text())?.[1]);
    }
    expect(closed).toEqual(['2', undefined]);
  });
});

describe('the keep-alive time', () => {
  it('does not end a connection whose first request arrived while the process was busy', async () => {
    const { port, count } = await start({ timeouts: { unauthenticatedMs: 1_000, checkMs: 10 } });
    const socket = await dial(port);
    await waitFor('the connection is registered', async () => (await count('unauthenticated')) === 1);
    const status = statusOf(socket, KEY);
    const busyUntil = performance.now() + 1_500;
    while (performance.now() < busyUntil) continue;
    expect(await status).toBe(200);
  });

  it('is short without authentication and long with it', async () => {
    const { port, count } = await start({ timeouts: { unauthenticatedMs: 100, checkMs: 20 } });
    const known = await dial(port);
    expect(await statusOf(known, KEY)).toBe(200);
    const [silent, rejected] = [await dial(port), await dial(port)];
    expect(await statusOf(rejected)).toBe(401);
    await Promise.all([once(silent, 'close'), once(rejected, 'close')]);
    expect([await count('idle'), await count('unauthenticated')]).toEqual([1, 0]);
    expect(await statusOf(known, KEY)).toBe(200);
  });
});
