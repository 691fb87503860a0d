import type { ServerHttp2Session } from 'node:http2';
import { createServer, type Server as SocketServer, type Socket } from 'node:net';
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import type { Binding } from '../routing/bind.js';
import type { IncompleteRequest } from '../connections/incomplete-requests.js';
import { StalledResponses, type StalledOptions } from '../connections/stalled-responses.js';
import { makeCallHandler, type CallDeps } from './handle-call.js';
import { IncomingStreams, type IncomingStream } from './incoming-streams.js';
import { OTLP_METHODS, rawMethod } from './otlp-methods.js';
import { limitPings } from './ping-limit.js';
import type { IncomingCall } from './read-message.js';

type StallableConnections = StalledOptions['connections'];

/** Keeps the open connections within their limits. */
export interface ConnectionRegister extends StallableConnections {
  /** Registers a new connection. Closes it, or another one, when there are too many. */
  add(socket: Socket): void;
  /** Records a call on a connection. `calls` has no pending call when it is `writableFinished`. */
  begin(socket: Socket, calls: SessionCalls): void;
  /** Records that the message of a call is to come. Rejects a call, this one or another, when too many are incomplete. */
  receive(request: IncompleteRequest): void;
  /** Closes connections without an authenticated call. */
  closeUnauthenticated(maxMs: number): void;
  /** Rejects calls whose message arrives too slowly. */
  rejectSlow(): void;
}

/** The pending calls of one connection. */
export class SessionCalls {
  readonly destroyed = false;
  #pending = 0;

  get writableFinished(): boolean {
    return this.#pending === 0;
  }

  begin(): void {
    this.#pending++;
  }

  end(): void {
    this.#pending--;
  }
}

export interface GrpcOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** New connections that wait to be accepted; the default of Node when absent. */
  readonly backlog?: number;
  /** Of these, the routes of OTLP are served. */
  readonly bindings: readonly Binding[];
  readonly connections: ConnectionRegister;
  readonly deps: CallDeps;
  /** Creates the server that accepts connections, for example with TLS; plain TCP by default. */
  readonly createSocketServer?: (onConnection: (socket: Socket) => void) => SocketServer;
  /** How long a connection stays open without an authenticated call, in milliseconds. */
  readonly unauthenticatedMs?: number;
  /** How long a client may hold a response by its flow control, in milliseconds. */
  readonly untakenMs?: number;
  /** How long a client may take no byte of what waits for it, in milliseconds. */
  readonly stalledMs?: number;
  /** Interval at which connections and messages are checked. */
  readonly checkMs?: number;
}

/** A listening gRPC server. */
export interface ListeningGrpc {
  readonly port: number;
  /**
   * Stops accepting connections and calls (GOAWAY), completes pending calls, and resolves when all connections are closed.
   * Closes the remaining ones after `graceMs`. Idempotent.
   */
  close(graceMs: number): Promise<void>;
}

const UNAUTHENTICATED_MS = 10_000;
const STALLED_MS = 10_000;
const CHECK_MS = 1_000;

/**
 * A connection is closed (GOAWAY) when it is idle, and once in about ten minutes, so that clients spread over processes
 * that have started later. Messages are limited while they are received, see {@link readMessage}.
 */
const SERVER_OPTIONS = {
  'grpc.max_receive_message_length': -1,
  'grpc.max_concurrent_streams': 100,
  'grpc.max_connection_idle_ms': 300_000,
  'grpc.max_connection_age_ms': 600_000,
  'grpc.max_connection_age_grace_ms': 120_000,
  'grpc.keepalive_time_ms': 60_000,
  'grpc.keepalive_timeout_ms': 20_000,
  'grpc.enable_channelz': 0,
};

/** Serves OTLP over gRPC. Rejects with Node's error when the address is not available. */
export async function listenGrpc(options: GrpcOptions): Promise<ListeningGrpc> {
  const { connections, checkMs = CHECK_MS } = options;
  const server = new Server(SERVER_OPTIONS);
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const streams = new IncomingStreams(server, injector, sessionEvents(connections));
  addMethods(server, streams, options);
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    connections.add(socket);
    if (socket.destroyed) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
    streams.inject(socket);
  };
  const socketServer = options.createSocketServer?.(accept) ?? createServer({ noDelay: true }, accept);
  const port = await startListening(socketServer, options);
  const check = connectionCheck(options, port);
  const sweep = setInterval(() => setImmediate(check), checkMs).unref();
  socketServer.once('close', () => clearInterval(sweep));
  let closing: Promise<void> | undefined;
  return { port, close: (graceMs) => (closing ??= drain({ server, socketServer, sockets }, graceMs)) };
}

/** Returns a function that closes the connections that have exceeded a time. */
function connectionCheck(options: GrpcOptions, port: number): () => void {
  const { connections, unauthenticatedMs = UNAUTHENTICATED_MS, stalledMs = STALLED_MS } = options;
  const stalled = new StalledResponses({ connections, port: () => port, maxMs: stalledMs });
  return () => {
    connections.closeUnauthenticated(unauthenticatedMs);
    connections.rejectSlow();
    void stalled.closeAll();
  };
}

function sessionEvents(connections: ConnectionRegister) {
  const calls = new WeakMap<Socket, SessionCalls>();
  const onPing = new WeakMap<Socket, () => void>();
  return {
    onSession: (session: ServerHttp2Session, socket: Socket) => {
      calls.set(socket, new SessionCalls());
      onPing.set(socket, limitPings(session));
    },
    onStream: ({ stream, socket }: IncomingStream) => {
      const ofSession = calls.get(socket);
      if (ofSession === undefined) return;
      onPing.get(socket)?.();
      ofSession.begin();
      stream.once('close', () => ofSession.end());
      connections.begin(socket, ofSession);
    },
  };
}

function addMethods(server: Server, streams: IncomingStreams, options: GrpcOptions): void {
  const { bindings, connections, deps, untakenMs } = options;
  const register = (request: IncompleteRequest) => connections.receive(request);
  for (const [path, route] of OTLP_METHODS) {
    const binding = bindings.find((bound) => bound.route === route);
    if (binding === undefined) continue;
    const handle = makeCallHandler(binding, streams, { ...deps, register, untakenMs });
    server.addService(
      { Export: rawMethod(path) },
      { Export: (call: IncomingCall, respond: sendUnaryData<Buffer>) => void handle(call, respond) },
    );
  }
}

function startListening(server: SocketServer, { host, port, backlog }: GrpcOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

interface Draining {
  readonly server: Server;
  readonly socketServer: SocketServer;
  readonly sockets: ReadonlySet<Socket>;
}

function drain({ server, socketServer, sockets }: Draining, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.forceShutdown();
      for (const socket of sockets) socket.destroy();
    }, graceMs);
    socketServer.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.tryShutdown(() => undefined);
  });
}
