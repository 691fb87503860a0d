import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { exportTraces } from '@assay/contracts';
import { AppError, unavailable } from '@assay/errors';
import { decodeMessage } from '@assay/otlp';
import { createMetrics, PemFile, TlsFiles, type Metrics } from '@assay/runtime';
import { createTestAuthority, type TestCertificate } from '@assay/runtime/test/test-certificates';
import { beginCall, callOverHttp2, framed, openHttp2, waitFor } from '@assay/testing';
import { Client, credentials, Metadata, type CallOptions, type ServiceError } from '@grpc/grpc-js';
import { CALLER } from '../../test/sample-app.js';
import { bindRaw, type RawOperation } from '../routing/bind.js';
import { ByteBudget } from '../scheduling/byte-budget.js';
import { makeBearerAuth } from '../auth/bearer-auth.js';
import { listenGrpc, type SessionCalls } from '../grpc/listen-grpc.js';
import { FairScheduler } from '../scheduling/fair-scheduler.js';
import { Connections } from './connections.js';
import { serve, type RunningServers, type ServeOptions } from './serve.js';
import { rawFrame } from '../../test/zstd/frames.js';

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
const KEY = { authorization: 'Bearer project-key' };
const MAX_BODY_BYTES = 1_000_000;

type Export = RawOperation<typeof exportTraces>;

/** Responds with the bytes of the request. */
const echo: Export = ({ body, contentType }) => Promise.resolve({ status: 200, contentType, body });

/** Returns the delay of the only detail of a failed call, a RetryInfo, as exporters read it; undefined without details. */
function retrySecondsOf(error: ServiceError | null | undefined): number | undefined {
  const [status] = (error?.metadata.get('grpc-status-details-bin') ?? []) as Buffer[];
  if (!status) return undefined;
  const { details } = decodeMessage('Status', status) as { details: { typeUrl: string; value: Buffer }[] };
  expect(details.map(({ typeUrl }) => typeUrl)).toEqual(['type.googleapis.com/google.rpc.RetryInfo']);
  const { retryDelay } = decodeMessage('RetryInfo', details[0]!.value) as { retryDelay: { seconds: string } };
  return Number(retryDelay.seconds);
}

describe('OTLP over gRPC', () => {
  const budget = new ByteBudget({ maxBytes: 4_000_000, projectShare: 0.5 });
  let operation: Export = echo;
  let servers: RunningServers;
  let metrics: Metrics;
  let address = '';

  function open(options: Partial<ServeOptions> = {}): Promise<RunningServers> {
    metrics = createMetrics({ processMetrics: false });
    const authenticate = async (key: string) => (key === 'project-key' ? CALLER : Promise.resolve(undefined));
    return serve({
      host: '127.0.0.1',
      port: 0,
      adminPort: 0,
      grpcPort: 0,
      bindings: [bindRaw(exportTraces, (request, context) => operation(request, context))],
      authenticator: { authenticate },
      budget,
      maxBodyBytes: MAX_BODY_BYTES,
      metrics,
      checks: {},
      ...options,
    });
  }

  async function start(): Promise<void> {
    servers = await open();
    address = servers.grpcAddress ?? '';
  }

  beforeAll(start);
  afterAll(() => servers.close(1_000));
  beforeEach(() => {
    operation = echo;
  });
  afterEach(() => waitFor('all bytes of messages are released', () => budget.used === 0));

  /** Calls with the client library that exporters use. */
  async function call(
    message: Buffer,
    headers: Readonly<Record<string, string>> = KEY,
    options: CallOptions & {
      readonly gzip?: boolean;
      readonly ca?: Buffer;
      readonly presented?: TestCertificate;
    } = {},
  ) {
    const { ca, presented } = options;
    const files = presented ? [readFileSync(presented.keyFile), readFileSync(presented.certFile)] : [];
    const security = ca ? credentials.createSsl(ca, ...files) : credentials.createInsecure();
    const client = new Client(address, security, {
      'grpc.default_compression_algorithm': options.gzip ? 2 : 0,
      'grpc.enable_retries': 0,
    });
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    const bytes = (value: Buffer) => value;
    try {
      return await new Promise<{ message?: Buffer | undefined; error?: ServiceError | null }>((resolve) =>
        client.makeUnaryRequest(EXPORT, bytes, bytes, message, metadata, options, (error, response) =>
          resolve(error ? { error } : { message: response }),
        ),
      );
    } finally {
      client.close();
    }
  }

  const callRaw = async (message: Buffer, headers: Readonly<Record<string, string>> = KEY) => {
    const session = openHttp2(address);
    try {
      return await callOverHttp2(session, { path: EXPORT, message, headers });
    } finally {
      session.close();
    }
  };

  test.each<[string, Buffer, boolean]>([
    ['small', Buffer.from('spans'), false],
    ['empty', Buffer.alloc(0), false],
    ['larger than a flow-control window', Buffer.alloc(300_000, 7), false],
    ['compressed', Buffer.alloc(300_000, 7), true],
  ])('passes a message to the operation of the route by HTTP: %s', async (_, message, gzip) => {
    const seen: string[] = [];
    operation = (request, context) => {
      seen.push(request.contentType, context.caller.projectId, String(context.headers['x-source']));
      return echo(request, context);
    };
    const { message: response } = await call(message, { ...KEY, 'x-source': 'tests' }, { gzip });
    expect(response?.equals(message)).toBe(true);
    expect(seen).toEqual(['application/x-protobuf', 'p1', 'tests']);
  });

  it('accepts a message in zstd, and names what it accepts when the compression is another one', async () => {
    const frame = rawFrame(Buffer.from('spans'));
    const zstd = await callRaw(frame, { ...KEY, 'grpc-encoding': 'zstd' });
    expect([zstd.code, zstd.message?.toString()]).toEqual([0, 'spans']);
    const other = await callRaw(frame, { ...KEY, 'grpc-encoding': 'snappy' });
    expect([other.code, other.trailers['grpc-accept-encoding']]).toEqual([12, 'gzip,deflate,zstd']);
  });

  it('returns the id of the request, and counts calls by operation and status', async () => {
    const { code, trailers } = await callRaw(Buffer.from('x'), { ...KEY, 'x-request-id': 'r-1' });
    expect([code, trailers['x-request-id']]).toEqual([0, 'r-1']);
    await callRaw(Buffer.from('x'), {});
    const text = await metrics.text();
    expect(text).toContain(
      'assay_grpc_request_duration_seconds_count{operation="exportTraces",code="UNAUTHENTICATED"} 1',
    );
    expect(text).toMatch(
      /assay_grpc_request_duration_seconds_count\{operation="exportTraces",code="OK"\} \d+/,
    );
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['without a key', {}, 16, 'the Authorization header is missing, send "Bearer" and a key'],
    ['with an unknown key', { authorization: 'Bearer other' }, 16, 'the key is unknown, expired or revoked'],
  ])('rejects a call %s before its message is sent', async (_, headers, code, text) => {
    const session = openHttp2(address);
    const { outcome } = beginCall(session, { path: EXPORT, headers });
    expect(await outcome).toMatchObject({ code, text });
    session.close();
  });

  test.each<[string, Error, number, string, boolean]>([
    ['a message that is not OTLP', new AppError('VALIDATION_ERROR', 'spans[0] …'), 3, 'spans[0] ?', false],
    ['a key without the permission', new AppError('FORBIDDEN', 'not allowed'), 7, 'not allowed', false],
    ['overload', new AppError('OVERLOADED', 'later'), 14, 'later', true],
    ['an unavailable log', unavailable('no log'), 14, 'no log', true],
    ['a full disk', new AppError('INSUFFICIENT_STORAGE', 'full'), 14, 'full', true],
    [
      'a bug',
      new Error('secret'),
      14,
      'something went wrong on our side, send the request again later',
      true,
    ],
  ])('responds with the status of %s', async (_, ...[failure, code, details, hasRetryInfo]) => {
    operation = () => Promise.reject(failure);
    const { error } = await call(Buffer.from('x'));
    expect(error).toMatchObject({ code, details });
    const seconds = retrySecondsOf(error);
    expect(seconds !== undefined).toBe(hasRetryInfo);
    if (hasRetryInfo) expect(seconds).toBeGreaterThan(0);
  });

  describe('rejects a message', () => {
    const gzip = { ...KEY, 'grpc-encoding': 'gzip' };
    const limit = 'body must not exceed 1000000 bytes after decompression';
    test.each<[string, Buffer, Record<string, string>, number, string]>([
      ['that is too large', Buffer.alloc(MAX_BODY_BYTES + 1), KEY, 8, limit],
      ['that inflates to too much', gzipSync(Buffer.alloc(30_000_000)), gzip, 8, limit],
      ['of damaged gzip', gzipSync('spans').subarray(0, 15), gzip, 3, 'gzip data ends early'],
      [
        'of an unknown compression',
        Buffer.from('x'),
        { ...KEY, 'grpc-encoding': 'snappy' },
        12,
        'grpc-encoding must be gzip, deflate, zstd or identity',
      ],
    ])('%s', async (_, ...[message, headers, code, text]) => {
      expect(await callRaw(message, headers)).toMatchObject({ code, text });
    });

    test.each<[string, Buffer, number, string]>([
      ['by its declared length', Buffer.from([0, 0, 0x4f, 0xff, 0xff]), 8, limit],
      [
        'followed by another one',
        Buffer.concat([framed(Buffer.from('a')), framed(Buffer.from('b'))]),
        3,
        'a call must have one message',
      ],
      ['that is missing', Buffer.alloc(0), 3, 'a call must have one message'],
    ])('%s', async (name, bytes, code, text) => {
      const session = openHttp2(address);
      const { stream, outcome } = beginCall(session, { path: EXPORT, headers: KEY });
      if (name === 'that is missing') stream.end();
      else stream.write(bytes);
      expect(await outcome).toMatchObject({ code, text });
      session.close();
    });
  });

  it('bounds the bytes of a project while they arrive, and releases those of a call that is cancelled', async () => {
    const session = openHttp2(address);
    const part = framed(Buffer.alloc(900_000)).subarray(0, 800_000);
    const uploads = [1, 2].map(() => {
      const { stream, outcome } = beginCall(session, { path: EXPORT, headers: KEY });
      outcome.catch(() => undefined);
      stream.write(part);
      return stream;
    });
    await waitFor('the messages are received in part', () => budget.used === 1_600_000);
    const refused = await callRaw(Buffer.alloc(500_000));
    expect(refused).toMatchObject({
      code: 14,
      text: 'too many bytes are being received at the moment, send the request again later',
    });
    expect(refused.trailers['grpc-status-details-bin']).toBeDefined();
    const { error } = await call(Buffer.alloc(500_000));
    expect(error?.code).toBe(14);
    expect(retrySecondsOf(error)).toBeGreaterThan(0);
    for (const stream of uploads) stream.close();
    await waitFor('the bytes are released', () => budget.used === 0);
    session.close();
  });

  it('aborts the signal of an operation when the deadline of the call has passed', async () => {
    const aborted: boolean[] = [];
    let begun = 0;
    operation = async (request, context) => {
      begun += 1;
      await once(context.signal, 'abort');
      aborted.push(true);
      return echo(request, context);
    };
    // On a busy machine a deadline can pass before the operation begins.
    for (let withinMs = 200; begun === 0; withinMs *= 4) {
      const { error } = await call(Buffer.from('x'), KEY, { deadline: Date.now() + withinMs });
      expect(error?.code).toBe(4);
    }
    await waitFor('the operation has been aborted', () => aborted.length === begun);
  });

  it('does not know other methods, and survives clients of other protocols', async () => {
    const session = openHttp2(address);
    const other = beginCall(session, { path: '/opentelemetry.proto.collector.trace.v1.TraceService/Other' });
    other.stream.end();
    expect((await other.outcome).code).toBe(12);
    session.close();
    const socket = connect(Number(address.split(':')[1]), '127.0.0.1');
    socket.on('error', () => undefined).end('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    expect((await callRaw(Buffer.from('x'))).code).toBe(0);
  });

  it('closes connections beyond the maximum, and those without an authenticated call', async () => {
    const connections = new Connections<SessionCalls>({ maxConnections: 2 });
    const deps = {
      authenticate: makeBearerAuth({ authenticator: { authenticate: async () => Promise.resolve(CALLER) } }),
      budget,
      scheduler: new FairScheduler(),
      isTrustedProxy: () => false,
    };
    const bindings = [bindRaw(exportTraces, echo)];
    const times = { unauthenticatedMs: 100, checkMs: 20 };
    const server = await listenGrpc({ host: '127.0.0.1', port: 0, bindings, connections, deps, ...times });
    const authenticated = openHttp2(`127.0.0.1:${server.port}`);
    const sent = { path: EXPORT, message: Buffer.from('x'), headers: KEY };
    expect((await callOverHttp2(authenticated, sent)).code).toBe(0);
    await waitFor('the connection is idle', () => connections.counts().idle === 1);
    const anonymous = connect(server.port, '127.0.0.1').on('error', () => undefined);
    await once(anonymous.resume(), 'close');
    // The second one replaces the first, the third the second.
    const others = [1, 2, 3].map(() =>
      connect(server.port, '127.0.0.1')
        .on('error', () => undefined)
        .resume(),
    );
    await Promise.all(others.map((socket) => once(socket, 'close')));
    expect((await callOverHttp2(authenticated, sent)).code).toBe(0);
    expect(connections.counts()).toMatchObject({ unauthenticated: 0 });
    await server.close(1_000);
  });

  /** A server with few connections and short times. Close it after use. */
  async function openSmall(options: { readonly maxLagMs?: number; readonly untakenMs?: number }) {
    const connections = new Connections<SessionCalls>({ maxConnections: 8, maxLagMs: options.maxLagMs });
    const authenticator = { authenticate: async () => Promise.resolve(CALLER) };
    const server = await listenGrpc({
      ...{ host: '127.0.0.1', port: 0, checkMs: 20, untakenMs: options.untakenMs, connections },
      bindings: [bindRaw(exportTraces, echo)],
      deps: {
        authenticate: makeBearerAuth({ authenticator }),
        budget,
        scheduler: new FairScheduler(),
        isTrustedProxy: () => false,
      },
    });
    return { server, connections, session: openHttp2(`127.0.0.1:${server.port}`) };
  }

  it('rejects the slowest call of a project with too many whose message does not arrive', async () => {
    const { server, session } = await openSmall({});
    const calls = [1, 2, 3].map(() => beginCall(session, { path: EXPORT, headers: KEY }));
    const message = framed(Buffer.from('x'));
    for (const { stream } of calls) stream.write(message.subarray(0, 1));
    const [first, ...others] = calls;
    expect(await first?.outcome).toMatchObject({
      code: 4,
      text: 'the call ended before its message was complete',
    });
    for (const { stream } of others) stream.end(message.subarray(1));
    for (const { outcome } of others) expect((await outcome).code).toBe(0);
    session.destroy();
    await server.close(1_000);
  });

  it('rejects a call whose message arrives too slowly', async () => {
    const { server, session } = await openSmall({ maxLagMs: 200 });
    const { stream, outcome } = beginCall(session, { path: EXPORT, headers: KEY });
    stream.write(framed(Buffer.from('x')).subarray(0, 1));
    expect((await outcome).code).toBe(4);
    session.destroy();
    await server.close(1_000);
  });

  it('closes a call of which the client does not take the response', async () => {
    const { server, session, connections } = await openSmall({ untakenMs: 100 });
    session.settings({ initialWindowSize: 0 });
    const { stream, outcome } = beginCall(session, { path: EXPORT, headers: KEY });
    stream.end(framed(Buffer.from('x')));
    await expect(outcome).rejects.toThrow();
    await waitFor('no call is pending', () => connections.counts().idle === 1);
    session.destroy();
    await server.close(1_000);
  });

  it('closes a connection that sends too many pings', async () => {
    const session = openHttp2(address);
    const goaway = once(session, 'goaway') as Promise<[number, number, Buffer]>;
    await once(session, 'connect');
    const pings = setInterval(() => void (session.destroyed || session.ping(() => undefined)), 1);
    const [code, , data] = await goaway.finally(() => clearInterval(pings));
    expect([code, data.toString()]).toEqual([11, 'too_many_pings']);
    session.destroy();
  });

  it('accepts connections with TLS alone when the API has it', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-grpc-tls-'));
    const authority = createTestAuthority(dir, 'authority');
    const { certFile, keyFile } = authority.issue('server');
    const paths = { cert: new PemFile('CERT', certFile), key: new PemFile('KEY', keyFile), ca: undefined };
    await servers.close(1_000);
    servers = await open({ tls: new TlsFiles(paths, () => undefined) });
    address = servers.grpcAddress ?? '';
    const ca = readFileSync(authority.caFile);
    expect(await call(Buffer.from('x'), KEY, { ca })).toEqual({ message: Buffer.from('x') });
    expect((await call(Buffer.from('x'))).error?.code).toBe(14);
    await servers.close(1_000);
    rmSync(dir, { recursive: true, force: true });
    await start();
  });

  it('accepts connections with a client certificate alone when the API requires one', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-grpc-mtls-'));
    const [authority, other] = ['authority', 'other'].map((name) => createTestAuthority(dir, name));
    const [server, client, foreign] = [
      authority!.issue('server'),
      authority!.issue('client'),
      other!.issue('foreign'),
    ];
    const { certFile, keyFile } = server;
    const pem = { cert: new PemFile('CERT', certFile), key: new PemFile('KEY', keyFile) };
    const paths = { ...pem, ca: new PemFile('CLIENT_CA', authority!.caFile) };
    await servers.close(1_000);
    servers = await open({ tls: new TlsFiles(paths, () => undefined) });
    address = servers.grpcAddress ?? '';
    const ca = readFileSync(authority!.caFile);
    expect(await call(Buffer.from('x'), KEY, { ca, presented: client })).toEqual({
      message: Buffer.from('x'),
    });
    for (const presented of [undefined, foreign])
      expect((await call(Buffer.from('x'), KEY, { ca, presented })).error?.code).toBe(14);
    await servers.close(1_000);
    rmSync(dir, { recursive: true, force: true });
    await start();
  });

  it('completes pending calls at shutdown, sends GOAWAY, and refuses new calls', async () => {
    const steps = new EventEmitter();
    const started = once(steps, 'started');
    operation = async (request, context) => {
      const finish = once(steps, 'finish');
      steps.emit('started');
      await finish;
      return echo(request, context);
    };
    const session = openHttp2(address);
    const goaway = once(session, 'goaway');
    const pending = callOverHttp2(session, { path: EXPORT, message: Buffer.from('x'), headers: KEY });
    await started;
    const closed = servers.close(30_000);
    await goaway;
    await expect(callRaw(Buffer.from('y'))).rejects.toThrow();
    steps.emit('finish');
    expect(await pending).toMatchObject({ code: 0 });
    await closed;
    await start();
  });
});
