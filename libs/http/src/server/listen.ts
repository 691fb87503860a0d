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
import { respondToClientError } from './client-error.js';
import { connectionMetrics } from './connection-metrics.js';
import { Connections, type ConnectionLimits } from './connections.js';
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
  /** Time to the end of the body. */
  readonly requestMs?: number;
  /** How long an idle connection stays open. Longer than the usual export interval. */
  readonly keepAliveMs?: number;
  /** How long a connection stays open without a request that has authenticated. */
  readonly unauthenticatedMs?: number;
  /** Interval at which the header and body timeouts are checked. */
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
  requestMs: 120_000,
  keepAliveMs: 65_000,
  unauthenticatedMs: 10_000,
  checkMs: 5_000,
};
/** Maximum of open connections of one server. */
export const MAX_CONNECTIONS = 2_000;
const MAX_REQUESTS_PER_SOCKET = 10_000;

/** Starts a server. Rejects with Node's error when the address is not available. */
export async function listen(options: ListenOptions): Promise<ListeningServer> {
  const timeouts = { ...DEFAULTS, ...options.timeouts };
  const connections = openConnections(options);
  const server = options.tls
    ? tlsServer(options.tls, timeouts, options.tlsCheckMs)
    : createServer(settingsOf(timeouts));
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  let closing: Promise<void> | undefined;
  const onRequest: RequestListener = (request, response) => {
    connections.begin(request.socket, response);
    if (closing) response.setHeader('Connection', 'close');
    options.listener(request, response);
  };
  // A handshake counts as well: it has the limits and timeouts of a connection without a request.
  if (options.tls) server.on('connection', (socket: Socket) => connections.addHandshake(socket));
  else server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('secureConnection', (socket: Socket) => connections.addSecure(socket));
  // After the requests that arrived meanwhile are read: the event loop may have been blocked until now. With the libuv of Node 22, only
  // the second turn of the loop has read them.
  const closeUnauthenticated = () => connections.closeUnauthenticated(timeouts.unauthenticatedMs);
  const sweepLater = () => setImmediate(() => setImmediate(closeUnauthenticated));
  const sweep = setInterval(sweepLater, timeouts.checkMs).unref();
  server.once('close', () => clearInterval(sweep));
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
  const port = await startListening(server, options);
  return {
    port,
    get isDraining() {
      return closing !== undefined;
    },
    close: (graceMs) => (closing ??= drain(server, connections, graceMs)),
  };
}

function openConnections({ limits, metrics }: ListenOptions): Connections {
  const measured = metrics && connectionMetrics(metrics, 'http');
  const connections = new Connections({ maxConnections: MAX_CONNECTIONS, ...limits }, measured?.closed);
  measured?.observe(() => connections.counts());
  return connections;
}

function settingsOf({ headersMs, requestMs, keepAliveMs, checkMs }: Required<ListenTimeouts>) {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
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

function startListening(server: Server | TlsServer, { host, port }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
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
