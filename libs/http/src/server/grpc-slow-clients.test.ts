import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportTraces } from '@assay/contracts';
import { PemFile, TlsFiles } from '@assay/runtime';
import { createTestAuthority } from '@assay/runtime/test/test-certificates';
import { beginCall, framed, waitFor } from '@assay/testing';
import { CALLER } from '../../test/sample-app.js';
import { makeBearerAuth } from '../auth/bearer-auth.js';
import { listenGrpc, type ListeningGrpc, type SessionCalls } from '../grpc/listen-grpc.js';
import { bindRaw } from '../routing/bind.js';
import { ByteBudget } from '../scheduling/byte-budget.js';
import { FairScheduler } from '../scheduling/fair-scheduler.js';
import { Connections, type ClosedReason } from './connections.js';
import { encrypted } from './serve-grpc.js';

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const KEY = { authorization: 'Bearer project-key' };
/** More than the kernel takes for a connection. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);
const PART = 64 * 1024;
const ALL = 2 ** 31 - 1;

/** The way of a client to the server, on which the bytes of the server wait until they are taken. */
class Way {
  taken = 0;
  readonly #server: Server;
  #upstream: Socket | undefined;
  #client: Socket | undefined;

  private constructor(port: number) {
    this.#server = createServer((client) => {
      this.#client = client;
      this.#upstream = connect(port, '127.0.0.1').on('error', () => client.destroy());
      client.on('error', () => undefined).pipe(this.#upstream);
      this.#upstream.once('close', () => client.destroy());
    });
  }

  static async to(port: number): Promise<Way> {
    const way = new Way(port);
    await once(way.#server.listen(0, '127.0.0.1'), 'listening');
    return way;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Takes a part of what waits. */
  takePart(): void {
    const length = Math.min(this.#upstream?.readableLength ?? 0, PART);
    const bytes = length > 0 ? (this.#upstream?.read(length) as Buffer | null) : null;
    if (bytes === null || bytes === undefined) return void this.#upstream?.read(0);
    this.taken += bytes.length;
    this.#client?.write(bytes);
  }

  /** Takes everything from now on. */
  takeAll(): void {
    if (this.#client) this.#upstream?.pipe(this.#client);
  }

  close(): void {
    this.#upstream?.destroy();
    this.#client?.destroy();
    this.#server.close();
  }
}

describe.each(['plain TCP', 'TLS'])('clients of OTLP over gRPC that read slowly, with %s', (protocol) => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-grpc-slow-'));
  const closed: ClosedReason[] = [];
  let connections: Connections<SessionCalls>;
  let server: ListeningGrpc;
  let way: Way;
  let session: ClientHttp2Session;

  /** Responds with as many bytes as a message `large` asks for, to others with their own. */
  const exported = bindRaw(exportTraces, ({ body, contentType }) =>
    Promise.resolve({ status: 200, contentType, body: String(body) === 'large' ? LARGE : body }),
  );

  async function start(times: { readonly stalledMs: number; readonly untakenMs: number }) {
    closed.length = 0;
    connections = new Connections<SessionCalls>({ maxConnections: 8 }, (reason) => closed.push(reason));
    const tls = protocol === 'TLS' ? certificates() : undefined;
    server = await listenGrpc({
      ...{ host: '127.0.0.1', port: 0, checkMs: 30, bindings: [exported], ...times },
      ...(tls ? encrypted(tls.files, connections) : { connections }),
      deps: {
        authenticate: makeBearerAuth({
          authenticator: { authenticate: async () => Promise.resolve(CALLER) },
        }),
        budget: new ByteBudget({ maxBytes: 1_000_000 }),
        scheduler: new FairScheduler(),
        isTrustedProxy: () => false,
      },
    });
    way = await Way.to(server.port);
    const settings = { initialWindowSize: ALL };
    session = tls
      ? connectHttp2(`https://${way.address}`, { ca: tls.ca, settings })
      : connectHttp2(`http://${way.address}`, { settings });
    session.on('error', () => undefined).once('connect', () => session.setLocalWindowSize(ALL));
  }

  function certificates() {
    const authority = createTestAuthority(dir, 'authority');
    const { certFile, keyFile } = authority.issue('server');
    const paths = { cert: new PemFile('CERT', certFile), key: new PemFile('KEY', keyFile), ca: undefined };
    return { ca: readFileSync(authority.caFile), files: new TlsFiles(paths, () => undefined) };
  }

  function call(text: string) {
    const { stream, outcome } = beginCall(session, { path: EXPORT, headers: KEY });
    outcome.catch(() => undefined);
    stream.on('error', () => undefined).end(framed(Buffer.from(text)));
    return outcome;
  }

  afterEach(async () => {
    session.destroy();
    way.close();
    await server.close(1_000);
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** Takes parts, as fast as `everyMs`, until `isReached`. */
  async function takeUntil(what: string, isReached: () => boolean, everyMs: number): Promise<void> {
    const timer = setInterval(() => way.takePart(), everyMs);
    await waitFor(what, isReached).finally(() => clearInterval(timer));
  }

  it('are closed when they take no byte for a while, also while they send', async () => {
    await start({ stalledMs: 300, untakenMs: 60_000 });
    void call('large');
    await takeUntil('the response has begun', () => way.taken > PART, 5);
    const { stream, outcome } = beginCall(session, { path: EXPORT, headers: KEY });
    outcome.catch(() => undefined);
    stream.on('error', () => undefined);
    const message = framed(Buffer.alloc(100_000));
    let sent = 0;
    const drip = setInterval(() => {
      if (stream.writable) stream.write(message.subarray(sent, (sent += 10)));
    }, 20);
    await waitFor('the connection is closed', () => closed.length > 0).finally(() => clearInterval(drip));
    expect(closed).toEqual(['stalled']);
    expect(connections.counts()).toEqual({ active: 0, idle: 0, unauthenticated: 0 });
  });

  it('continue when they take a little now and then, and get every response', async () => {
    const stalledMs = 2_000;
    await start({ stalledMs, untakenMs: 100 });
    const large = call('large');
    await takeUntil('the response has begun', () => way.taken > PART, 5);
    // Waits behind the large one for much longer than flow control may hold it.
    const small = call('small');
    const slowUntil = performance.now() + 3 * stalledMs;
    await takeUntil('three times the limit have passed', () => performance.now() > slowUntil, 50);
    expect([closed, way.taken < LARGE.length]).toEqual([[], true]);
    way.takeAll();
    expect((await large).message.equals(LARGE)).toBe(true);
    expect(await small).toMatchObject({ code: 0, message: Buffer.from('small') });
    expect(closed).toEqual([]);
  });
});
