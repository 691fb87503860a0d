import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { respondToClientError } from './client-error.js';

export interface ListenOptions {
  readonly listener: RequestListener;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly timeouts?: ListenTimeouts;
  readonly maxConnections?: number;
}

/** Milliseconds. */
export interface ListenTimeouts {
  /** From the connection to the end of the headers. */
  readonly headersMs?: number;
  /** To the end of the body. */
  readonly requestMs?: number;
  /** How long an idle connection stays. Longer than the interval at which exporters send. */
  readonly keepAliveMs?: number;
  /** How often the two above are looked at. */
  readonly checkMs?: number;
}

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Whether {@link Listening.close} has begun. */
  readonly isDraining: boolean;
  /**
   * Takes no new connections, answers what is under way with `Connection: close`, and resolves when all connections have ended;
   * those that have not after `graceMs` are cut. Idempotent.
   */
  close(graceMs: number): Promise<void>;
}

const DEFAULTS = { headersMs: 10_000, requestMs: 120_000, keepAliveMs: 65_000, checkMs: 5_000 };
const MAX_CONNECTIONS = 2_000;
const MAX_REQUESTS_PER_SOCKET = 10_000;

/** Starts a server. Rejects with Node's error when the address cannot be had. */
export async function listen(options: ListenOptions): Promise<Listening> {
  const answers: Answers = new Map();
  const server = newServer(options);
  let closing: Promise<void> | undefined;
  const onRequest: RequestListener = (request, response) => {
    answers.set(request.socket, response);
    if (closing) response.setHeader('Connection', 'close');
    options.listener(request, response);
  };
  server.on('connection', (socket) => {
    answers.set(socket, undefined);
    socket.once('close', () => answers.delete(socket));
  });
  // `checkContinue` keeps Node from inviting a body that is then refused.
  server.on('request', onRequest).on('checkContinue', onRequest);
  // Node would answer any other expectation with an empty 417; it may be ignored as well (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    delete request.headers.expect;
    onRequest(request, response);
  });
  server.on('clientError', (error, socket) =>
    respondToClientError(error, socket, isUnderWay(answers.get(socket))),
  );
  const port = await started(server, options);
  return {
    port,
    get isDraining() {
      return closing !== undefined;
    },
    close: (graceMs) => (closing ??= drained(server, answers, graceMs)),
  };
}

/** The connections, each with the answer to its latest request; undefined before its first one. */
type Answers = Map<Duplex, ServerResponse | undefined>;

function newServer({ timeouts, maxConnections }: ListenOptions): Server {
  const { headersMs, requestMs, keepAliveMs, checkMs } = { ...DEFAULTS, ...timeouts };
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkMs,
  });
  server.maxConnections = maxConnections ?? MAX_CONNECTIONS;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  return server;
}

function isUnderWay(answer: ServerResponse | undefined): boolean {
  return answer !== undefined && answer.headersSent && !answer.writableFinished;
}

function started(server: Server, { host, port }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function drained(server: Server, answers: Answers, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    for (const [socket, answer] of answers) letGo(socket, answer);
  });
}

/**
 * Ends a connection as soon as nothing is under way on it. Node takes one that has not sent anything yet for busy, and would keep
 * one alive whose answer began before the server was closed.
 */
function letGo(socket: Duplex, answer: ServerResponse | undefined): void {
  if (answer === undefined) {
    if (socket instanceof Socket && socket.bytesRead === 0) socket.destroy();
  } else if (answer.writableFinished) socket.end();
  else if (answer.headersSent) answer.once('finish', () => socket.end());
  else answer.setHeader('Connection', 'close');
}
