import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Metrics, TlsFiles } from '@assay/runtime';
import { respondToClientError, respondToSlowRequest } from './client-error.js';
import { connectionMetrics } from './connection-metrics.js';
import { Connections, type ConnectionLimits } from './connections.js';
import { serveInOrder } from '../connections/in-order.js';
import type { IncompleteRequest } from '../connections/incomplete-requests.js';
import { StalledResponses } from '../connections/stalled-responses.js';
import { followTlsFiles, tlsServerOptions } from './tls-server.js';

export interface ListenOptions {
  readonly listener: RequestListener;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly timeouts?: ListenTimeouts;
  /** Certificate, key and authorities of client certificates; without it, plain HTTP. */
  readonly tls?: TlsFiles;
  /** How often the files of TLS are read for changes, in milliseconds. */
  readonly tlsCheckMs?: number;
  /** Limits of open connections; 2,000 in total by default. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Receives the number of connections by state. */
  readonly metrics?: Metrics;
}

/** Milliseconds. */
export interface ListenTimeouts {
  /** Time to the end of the headers. */
  readonly headersMs?: number;
  /** How long a body may lag behind the minimum rate; see {@link IncompleteRequests}. */
  readonly maxLagMs?: number;
  /** How long a client may take no byte of a response that waits for it. */
  readonly stalledMs?: number;
  /** How long an idle connection stays open. Longer than the usual export interval. */
  readonly keepAliveMs?: number;
  /** How long a connection stays open without a request that has authenticated. */
  readonly unauthenticatedMs?: number;
  /** Interval at which these times are checked. */
  readonly checkMs?: number;
}

/** A listening HTTP server. */
export interface ListeningServer {
  readonly port: number;
  /** Whether {@link ListeningServer.close} was called. */
  readonly isDraining: boolean;
  /**
   * Stops accepting connections, completes pending requests with `Connection: close`, and resolves when all connections are
   * closed. Closes the remaining ones after `graceMs`. Idempotent.
   */
  close(graceMs: number): Promise<void>;
}

const DEFAULTS: Required<ListenTimeouts> = {
  headersMs: 10_000,
  maxLagMs: 20_000,
  stalledMs: 10_000,
  keepAliveMs: 65_000,
  unauthenticatedMs: 10_000,
  checkMs: 1_000,
};
/** Maximum of open connections of one server. */
export const MAX_CONNECTIONS = 2_000;
/**
 * New connections that wait to be accepted, at most as many as the system allows (`net.core.somaxconn`). Beyond it the kernel drops them, also
 * those of other clients, which try again after a second. Above the maximum of open ones, since each may be replaced.
 */
export const BACKLOG = 2 * MAX_CONNECTIONS;
const MAX_REQUESTS_PER_SOCKET = 10_000;

/** Starts a server. Rejects with Node's error when the address is not available. */
export async function listen(options: ListenOptions): Promise<ListeningServer> {
  const timeouts = { ...DEFAULTS, ...options.timeouts };
  const connections = openConnections(options, timeouts);
  const server = options.tls
    ? tlsServer(options.tls, timeouts, options.tlsCheckMs)
    : createServer(settingsOf(timeouts));
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  let closing: Promise<void> | undefined;
  const onRequest: RequestListener = (request, response) => {
    connections.begin(request.socket, response);
    if (hasBody(request)) connections.receive(incompleteRequest(request, response));
    if (closing) response.setHeader('Connection', 'close');
    options.listener(request, response);
  };
  const onSocket = (socket: Socket) => serveInOrder(socket, () => connections.responseOf(socket));
  // A handshake counts as well: it has the limits and timeouts of a connection without a request.
  if (options.tls) server.on('connection', (socket: Socket) => connections.addHandshake(socket));
  else server.on('connection', (socket: Socket) => connections.add(socket)).on('connection', onSocket);
  server.on('secureConnection', (socket: Socket) => {
    connections.addSecure(socket);
    // Its handshake began before the server was closed, and nothing else would close it soon: it has no request yet.
    if (closing) socket.destroy();
  });
  server.on('secureConnection', onSocket);
  const port = () => portOf(server) ?? options.port;
  server.once('close', checkRegularly(connections, port, timeouts));
  // With a `checkContinue` listener, Node does not send `100 Continue` before the request is accepted.
  server.on('request', onRequest).on('checkContinue', onRequest);
  // Node would respond to any other expectation with an empty 417. RFC 9110, 10.1.1 allows ignoring it.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    delete request.headers.expect;
    onRequest(request, response);
  });
  server.on('clientError', (error, socket) =>
    respondToClientError(error, socket, isResponding(connections.responseOf(socket))),
  );
  await startListening(server, options);
  return {
    port: port(),
    get isDraining() {
      return closing !== undefined;
    },
    close: (graceMs) => (closing ??= drain(server, connections, graceMs)),
  };
}

function openConnections({ limits, metrics }: ListenOptions, { maxLagMs }: ListenTimeouts): Connections {
  const measured = metrics && connectionMetrics(metrics, 'http');
  const all = { maxConnections: MAX_CONNECTIONS, maxLagMs, ...limits };
  const connections = new Connections(all, measured?.closed);
  measured?.observe(() => connections.counts());
  return connections;
}

/** Checks the connections until the returned function is called. */
function checkRegularly(connections: Connections, port: () => number, timeouts: Required<ListenTimeouts>) {
  const { unauthenticatedMs, stalledMs, checkMs } = timeouts;
  const stalled = new StalledResponses({ connections, port, maxMs: stalledMs });
  const check = () => {
    connections.closeUnauthenticated(unauthenticatedMs);
    connections.rejectSlow();
    void stalled.closeAll();
  };
  // After what arrived meanwhile is read: the event loop may have been blocked until now. With the libuv of Node 22, only the second turn
  // of the loop has read it.
  const timer = setInterval(() => setImmediate(() => setImmediate(check)), checkMs).unref();
  return () => clearInterval(timer);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function incompleteRequest(request: IncomingMessage, response: ServerResponse): IncompleteRequest {
  const { socket } = request;
  const readBefore = socket.bytesRead;
  return {
    socket,
    isComplete: () => request.complete || socket.destroyed,
    receivedBytes: () => socket.bytesRead - readBefore,
    isHeldBack: () => socket.isPaused(),
    reject: () => respondToSlowRequest(socket, isResponding(response)),
  };
}

function settingsOf({ headersMs, keepAliveMs, checkMs }: Required<ListenTimeouts>) {
  return {
    headersTimeout: headersMs,
    // A body has a minimum rate instead.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkMs,
  };
}

function tlsServer(tls: TlsFiles, timeouts: Required<ListenTimeouts>, checkMs?: number): TlsServer {
  const server = createTlsServer({
    ...settingsOf(timeouts),
    ...tlsServerOptions(tls, timeouts.headersMs),
  });
  followTlsFiles(server, tls, checkMs);
  return server;
}

function isResponding(response: ServerResponse | undefined): boolean {
  return response !== undefined && response.headersSent && !response.writableFinished;
}

function startListening(server: Server | TlsServer, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: Server | TlsServer): number | undefined {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : undefined;
}

function drain(server: Server | TlsServer, connections: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    for (const [socket, response] of connections.entries()) closeWhenIdle(socket, response);
  });
}

/**
 * Closes a connection once it has no pending request. Node treats a connection without any request as busy, and would keep
 * one open whose response began before the server was closed.
 */
function closeWhenIdle(socket: Duplex, response: ServerResponse | undefined): void {
  if (response === undefined) {
    if (socket instanceof Socket && socket.bytesRead === 0) socket.destroy();
  } else if (response.writableFinished) socket.end();
  else if (response.headersSent) response.once('finish', () => socket.end());
  else response.setHeader('Connection', 'close');
}
