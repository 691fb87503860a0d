import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect as connectPlain, createServer as createPlainServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { createMetrics, PemFile, TlsFiles } from '@assay/runtime';
import { createTestAuthority } from '@assay/runtime/test/test-certificates';
import { waitFor } from '@assay/testing';
import { sampleApp } from '../../test/sample-app.js';
import { listen, type ListeningServer, type ListenOptions } from './listen.js';

const dir = mkdtempSync(join(tmpdir(), 'assay-listen-tls-'));
const authority = createTestAuthority(dir, 'authority');
const stranger = createTestAuthority(dir, 'stranger').issue('unknown-client');
const [server, renewed, client] = ['server', 'renewed', 'client'].map((name) => authority.issue(name));
const used = { cert: join(dir, 'used.pem'), key: join(dir, 'used.key') };
const ca = readFileSync(authority.caFile);

const opened: ListeningServer[] = [];
beforeEach(() => install(server!));
afterEach(() => Promise.all(opened.splice(0).map((listening) => listening.close(0))));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function install({ certFile, keyFile }: { certFile: string; keyFile: string }): void {
  copyFileSync(keyFile, used.key);
  copyFileSync(certFile, used.cert);
}

async function start(options: Partial<ListenOptions> & { clientCa?: string } = {}) {
  const { clientCa, ...rest } = options;
  const tls = new TlsFiles(
    {
      cert: new PemFile('CERT', used.cert),
      key: new PemFile('KEY', used.key),
      ca: clientCa === undefined ? undefined : new PemFile('CA', clientCa),
    },
    () => undefined,
  );
  const metrics = createMetrics({ processMetrics: false });
  const { listener } = sampleApp();
  const listening = await listen({
    host: '127.0.0.1',
    port: 0,
    listener,
    metrics,
    tls,
    tlsCheckMs: 5,
    ...rest,
  });
  opened.push(listening);
  const count = async (state: string) =>
    Number(new RegExp(`connections\\{state="${state}"\\} (\\d+)$`, 'm').exec(await metrics.text())?.[1]);
  return { ...listening, count, metrics };
}

interface Identity {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Sends one request on a connection of its own. @returns the status and the name in the server's certificate */
async function send(port: number, identity?: Identity) {
  const own = identity && { cert: readFileSync(identity.certFile), key: readFileSync(identity.keyFile) };
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path: '/v1/projects',
    headers: { authorization: 'Bearer project-key' },
    agent: new Agent({ ca, ...own, maxCachedSessions: 0 }),
  }).end();
  const [response] = (await once(outgoing, 'response')) as [
    { statusCode: number; socket: TLSSocket; resume(): void },
  ];
  const name = response.socket.getPeerCertificate().subject.CN;
  response.resume();
  return { status: response.statusCode, name };
}

/** Completes a handshake and sends nothing. */
async function dial(port: number): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca }).on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

describe('a TLS listener', () => {
  it('responds over TLS and counts each connection once', async () => {
    const { port, count } = await start();
    expect(await send(port)).toEqual({ status: 200, name: 'server' });
    const silent = await dial(port);
    await waitFor('the states are counted', async () => (await count('unauthenticated')) === 1);
    silent.destroy();
    await waitFor('the connection is gone', async () => (await count('unauthenticated')) === 0);
  });

  it('closes a connection without TLS and continues to serve', async () => {
    const { port } = await start();
    const plain = connectPlain(port, '127.0.0.1').on('error', () => undefined);
    plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(plain, 'close');
    expect(await send(port)).toMatchObject({ status: 200 });
  });

  it('refuses clients without a certificate of the given authorities', async () => {
    const { port } = await start({ clientCa: authority.caFile });
    expect(await send(port, client)).toMatchObject({ status: 200 });
    await expect(send(port)).rejects.toThrow();
    await expect(send(port, stranger)).rejects.toThrow();
  });

  it('uses a certificate that is replaced on disk, and keeps open connections', async () => {
    const { port } = await start();
    const before = await dial(port);
    expect(await send(port)).toMatchObject({ name: 'server' });
    install(renewed!);
    await waitFor('the new certificate is served', async () => (await send(port)).name === 'renewed');
    before.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String((await once(before, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
    before.destroy();
  });

  it('applies the maximum of connections to handshakes', async () => {
    const { port, count, metrics } = await start({ limits: { maxConnections: 5 } });
    const sockets = Array.from({ length: 20 }, () =>
      connectPlain(port, '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await waitFor('all but the maximum are closed', async () =>
      /closed_total\{reason="evicted"\} 15$/m.test(await metrics.text()),
    );
    expect(await count('unauthenticated')).toBe(5);
    expect(await send(port)).toMatchObject({ status: 200 });
    for (const socket of sockets) socket.destroy();
  });

  it('closes a handshake that does not end', async () => {
    const { port } = await start({ timeouts: { unauthenticatedMs: 50, checkMs: 20 } });
    const stalled = connectPlain(port, '127.0.0.1').on('error', () => undefined);
    await once(stalled.resume(), 'close');
  });

  it('closes silent connections when it drains', async () => {
    const listening = await start({ timeouts: { unauthenticatedMs: 600_000, headersMs: 600_000 } });
    const closed = once((await dial(listening.port)).resume(), 'close');
    // The server ends its side of a handshake after the client, and in the order of the connections.
    expect((await send(listening.port)).status).toBe(200);
    await listening.close(600_000);
    await closed;
  });

  it('closes a connection whose handshake ends while it drains', async () => {
    const listening = await start({ timeouts: { unauthenticatedMs: 600_000, headersMs: 600_000 } });
    const toServer = connectPlain(listening.port, '127.0.0.1');
    const held = createPlainServer((toClient) => {
      toClient.pipe(toServer);
      toServer.once('readable', () => {
        // The server has sent its part of the handshake.
        const drained = listening.close(600_000);
        toServer.pipe(toClient);
        drained.then(
          () => held.emit('drained'),
          (error: Error) => held.emit('error', error),
        );
      });
    }).listen(0, '127.0.0.1');
    await once(held, 'listening');
    const drained = once(held, 'drained');
    const { port } = held.address() as AddressInfo;
    const late = connect({ host: '127.0.0.1', port, ca }).on('error', () => undefined);
    const closed = once(late.resume(), 'close');
    await Promise.all([drained, closed]);
    held.close();
  });
});
