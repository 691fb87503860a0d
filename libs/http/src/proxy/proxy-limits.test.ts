import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { listProjects } from '@assay/contracts';
import { waitFor } from '@assay/testing';
import { sampleApp } from '../../test/sample-app.js';
import { listen, type ListeningServer } from '../server/listen.js';
import { createProxy, type RequestProxy } from './proxy.js';

const KEY = { authorization: 'Bearer project-key' };
const OTHER_KEY = { authorization: 'Bearer other-key' };

describe('proxied requests of one project', () => {
  const pending = new Set<ServerResponse>();
  const upstream = createServer((_, response) => {
    pending.add(response);
    response.once('close', () => pending.delete(response));
  });
  let proxy: RequestProxy;
  let front: ListeningServer;
  beforeAll(async () => {
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const { port } = upstream.address() as AddressInfo;
    proxy = createProxy({
      baseUrl: `http://127.0.0.1:${port}`,
      internalToken: 'between us',
      shares: { perProject: 3, maxWaiting: 0 },
    });
    const { listener } = sampleApp({ bindings: [proxy.bind(listProjects)] });
    front = await listen({ listener, host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    proxy.close();
    await front.close(0);
    upstream.close();
  });

  const send = (headers: Record<string, string>, signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${front.port}/v1/projects`, { headers, signal: signal ?? null });
  const isPending = (count: number) => () => pending.size === count;

  it('are rejected with Retry-After beyond the limit, and other projects are served', async () => {
    const accepted = [send(KEY), send(KEY), send(KEY)];
    await waitFor('three requests are pending', isPending(3));
    const rejected = await send(KEY);
    expect([rejected.status, rejected.headers.has('retry-after')]).toEqual([503, true]);
    const others = send(OTHER_KEY);
    await waitFor('the other project is pending', isPending(4));
    for (const response of pending) response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    for (const response of await Promise.all([...accepted, others])) expect(response.status).toBe(200);
  });

  it('wait for each other up to a limit, and leave the queue when the client disconnects', async () => {
    const { port } = upstream.address() as AddressInfo;
    const waiting = createProxy({
      baseUrl: `http://127.0.0.1:${port}`,
      internalToken: 'between us',
      shares: { perProject: 1, maxWaiting: 2 },
    });
    const { listener } = sampleApp({ bindings: [waiting.bind(listProjects)] });
    const server = await listen({ listener, host: '127.0.0.1', port: 0 });
    const sendTo = (signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${server.port}/v1/projects`, { headers: KEY, signal: signal ?? null });
    const client = new AbortController();
    const first = sendTo();
    await waitFor('one request is pending', isPending(1));
    const outcomes = [sendTo(client.signal), sendTo(), sendTo()].map((one) =>
      one.then(
        ({ status }) => status,
        () => 'cancelled',
      ),
    );
    // Of the three, one is rejected, because two wait already.
    expect(await Promise.race(outcomes)).toBe(503);
    client.abort();
    const respond = () => {
      for (const response of pending)
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
      return pending.size === 0;
    };
    await waitFor('every request is answered', async () => {
      respond();
      return Promise.race([Promise.all([first, ...outcomes]).then(() => true), nextTurn()]);
    });
    expect((await first).status).toBe(200);
    expect((await Promise.all(outcomes)).filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    waiting.close();
    await server.close(0);
  });

  it('are cancelled when the client disconnects, and make room for others', async () => {
    const client = new AbortController();
    const cancelled = Promise.allSettled([1, 2, 3].map(() => send(KEY, client.signal)));
    await waitFor('three requests are pending', isPending(3));
    client.abort();
    await cancelled;
    await waitFor('the upstream requests are cancelled', isPending(0));
    const next = send(KEY);
    await waitFor('the next request is pending', isPending(1));
    for (const response of pending) response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    expect((await next).status).toBe(200);
  });
});

function nextTurn(): Promise<false> {
  return new Promise((resolve) => setImmediate(() => resolve(false)));
}
