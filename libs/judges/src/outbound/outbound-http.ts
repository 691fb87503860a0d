import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { TlsFiles } from '@assay/runtime';
import { checkTarget, type Target } from './check-target.js';
import { checkPeer, createAgents, type Agents } from './guarded-agents.js';
import { OutboundError } from './outbound-error.js';
import { resolveWithSystem, type ResolveHost } from './resolve-host.js';

const CONNECT_TIMEOUT_MS = 10_000;
/** Codes of DNS and of sockets that say that nothing was sent. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN'],
]);
/** Maximum size of a response, in bytes. */
export const MAX_RESPONSE_BYTES = 4_194_304;

export interface OutboundRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Hosts of this request that may have private addresses, plain HTTP and any port. */
  readonly allowedHosts: readonly string[];
}

export interface OutboundResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** The only way out: `POST` requests with bounds on size and time, which follow no redirect. */
export interface OutboundHttp {
  /** @throws OutboundError when there is no complete response; `signal` aborts the call */
  post(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse>;
  close(): void;
}

export interface OutboundHttpOptions {
  /** Resolves hosts that are not allowed; the system's resolver when absent. */
  readonly resolve?: ResolveHost | undefined;
  /** Authorities of allowed hosts, besides those of Node. */
  readonly tls?: TlsFiles | undefined;
}

export function createOutboundHttp({
  resolve = resolveWithSystem,
  tls,
}: OutboundHttpOptions = {}): OutboundHttp {
  const agents = createAgents(resolve, tls);
  return {
    post: async (request, signal) => {
      const target = checkTarget(request.url, request.allowedHosts);
      return readResponse(await send(target, request, { agents, signal }), signal);
    },
    close: () => agents.destroy(),
  };
}

interface SendContext {
  readonly agents: Agents;
  readonly signal: AbortSignal;
}

function send(
  target: Target,
  request: OutboundRequest,
  { agents, signal }: SendContext,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = open(target, request, agents);
    const fail = (error: Error) => {
      stopTimer();
      signal.removeEventListener('abort', abort);
      reject(call.reusedSocket && isReset(error) ? staleError(error) : outboundError(error));
    };
    const abort = () => call.destroy(abortError(signal));
    const stopTimer = watchConnecting(call, target);
    signal.addEventListener('abort', abort, { once: true });
    call.on('error', fail);
    call.once('response', (response) => {
      signal.removeEventListener('abort', abort);
      resolve(response);
    });
    if (signal.aborted) abort();
    else call.end(request.body);
  });
}

function open({ url, isAllowed }: Target, request: OutboundRequest, agents: Agents): ClientRequest {
  const headers = {
    ...request.headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(request.body)),
    accept: 'application/json',
    'accept-encoding': 'identity',
  };
  if (!isAllowed) return httpsRequest(url, { method: 'POST', headers, agent: agents.guarded });
  if (url.protocol === 'http:')
    return httpRequest(url, { method: 'POST', headers, agent: agents.allowed.http });
  return httpsRequest(url, { method: 'POST', headers, agent: agents.allowed.https });
}

/** Bounds the time to connect and checks the address at the other end. Returns a function that stops the timer. */
function watchConnecting(call: ClientRequest, { isAllowed, url }: Target): () => void {
  let timer: NodeJS.Timeout | undefined;
  call.once('socket', (socket) => {
    if (!isAllowed) checkPeer(socket);
    if (!socket.connecting) return;
    const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect';
    timer = setTimeout(
      () => call.destroy(new OutboundError('timeout', 'the connection to the provider timed out')),
      CONNECT_TIMEOUT_MS,
    );
    socket.once(connected, () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
  });
  return () => clearTimeout(timer);
}

function readResponse(response: IncomingMessage, signal: AbortSignal): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (settle: () => void) => {
      signal.removeEventListener('abort', abort);
      settle();
    };
    const fail = (error: Error) => {
      finish(() => reject(outboundError(error)));
      response.destroy();
    };
    const abort = () => fail(abortError(signal));
    signal.addEventListener('abort', abort, { once: true });
    response.on('error', fail);
    response.once('aborted', () => fail(new Error('the response is incomplete')));
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES)
        return fail(
          new OutboundError(
            'too_large',
            `the response of the provider is larger than ${MAX_RESPONSE_BYTES} bytes`,
          ),
        );
      chunks.push(chunk);
    });
    response.once('end', () =>
      finish(() =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      ),
    );
    if (signal.aborted) abort();
  });
}

function abortError(signal: AbortSignal): OutboundError {
  const isTimeout = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  return isTimeout
    ? new OutboundError('timeout', 'the provider did not respond in time')
    : new OutboundError('aborted', 'the call was aborted');
}

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** The provider closed an idle connection while it was reused. */
function staleError(cause: Error): OutboundError {
  return new OutboundError('stale', 'the provider closed the connection', { cause });
}

/** Errors of sockets and DNS say nothing that is secret, but may quote the URL: only the code is kept. */
function outboundError(error: Error): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reason = NOT_CONNECTED.has(code) ? 'unconnected' : 'unreachable';
  const quoted = code === '' ? '' : ` (${code})`;
  return new OutboundError(reason, `the provider is unreachable${quoted}`, { cause: error });
}
