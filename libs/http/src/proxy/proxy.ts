import {
  Agent as HttpAgent,
  request as httpRequest,
  type AgentOptions,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { ROUTES, type Route } from '@assay/contracts';
import { isAdministrator, type Principal } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { createTlsAgent, FairSlots, type FairSlotsOptions, type TlsFiles } from '@assay/runtime';
import { MAX_BODY_BYTES, bodyTooLarge } from '../body/body-limits.js';
import { compressionOf, declaredLength } from '../body/read-body.js';
import type { RequestContext } from '../request/request-context.js';
import type { Binding, HttpExchange, IncomingRequest } from '../routing/bind.js';
import { returnedHeaders, upstreamHeaders } from './forwarded-headers.js';

export interface ProxyOptions {
  /** Address of the service that owns the routes, without a trailing slash. */
  readonly baseUrl: string;
  /** Secret with which this service may state who the caller is. */
  readonly internalToken: string;
  /** Authorities of the other service and certificate of this one; those of Node and none when absent. */
  readonly tls?: TlsFiles | undefined;
  /** Timeout to the first byte of the response, and between two chunks of it. */
  readonly timeoutMs?: number;
  /** Shares of the projects in the requests to the other service; {@link DEFAULT_SHARES} by default. */
  readonly shares?: Partial<FairSlotsOptions>;
}

/** Serves the routes of another service. Requests and responses are streamed, not buffered. */
export interface RequestProxy {
  bind(route: Route): Binding;
  /** Closes idle connections to the other service. */
  close(): void;
}

const TIMEOUT_MS = 30_000;
/** Shorter than the keep-alive timeout of the upstream service, so that no request is sent on a connection that is closing. */
const IDLE_MS = 30_000;
/** One project cannot use all connections, and a few of its requests wait. */
const DEFAULT_SHARES: FairSlotsOptions = { total: 256, perProject: 128, maxWaiting: 64, maxWaitMs: 10_000 };
/** Approximate cost of passing a byte on, in milliseconds. It is charged to the project. */
const MS_PER_BYTE = 1e-6;
/** Content types of the services. Any other response comes from something else, such as a load balancer. */
const RESPONSE_TYPE = /^application\/(json|x-protobuf)\b/i;

/**
 * Authenticates requests and forwards them with internal headers that state the caller; internal headers of the client are
 * dropped. Responds with 503 while the upstream service is unavailable or too slow.
 */
export function createProxy(options: ProxyOptions): RequestProxy {
  const target = new URL(options.baseUrl);
  const shares = { ...DEFAULT_SHARES, ...options.shares };
  const agentOptions = { keepAlive: true, timeout: IDLE_MS, maxSockets: shares.total };
  const agent = agentFor(target, agentOptions, options.tls);
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const slots = new FairSlots(shares);

  async function forward(
    route: Route,
    incoming: IncomingRequest,
    { request, response: downstream }: HttpExchange,
    context: RequestContext<Principal | undefined>,
  ): Promise<undefined> {
    const upstream = send(target, {
      method: request.method,
      path: `${target.pathname.replace(/\/$/, '')}${request.url ?? '/'}`,
      headers: {
        ...upstreamHeaders(route, request.headers, context, options.internalToken),
        host: target.host,
      },
      agent,
      timeout: timeoutMs,
      signal: context.signal,
    });
    upstream.on('timeout', () => upstream.destroy(new Error('upstream timeout')));
    incoming.sendContinue();
    const charge = (chunk: Buffer) => incoming.charge(chunk.length * MS_PER_BYTE);
    request.on('data', charge);
    const response = await exchange(request, upstream);
    checkResponse(response);
    response.on('data', charge);
    await streamResponse(response, downstream);
    return undefined;
  }

  const bind = (route: Route): Binding => ({
    route,
    // The upstream service looks at the body, and decides which of the two routes the caller must be allowed to call.
    sharedWith: ROUTES.find((other) => other.method === route.method && sharesAddress(other, route)),
    // Routes of data planes are not proxied, so the caller is the client.
    handle: async (incoming, anyContext) => {
      const context = anyContext as RequestContext<Principal | undefined>;
      const { http } = incoming;
      if (http === undefined) throw new Error('only requests by HTTP are proxied');
      checkDeclaredBody(http.request, route);
      await incoming.begin();
      const pass = () => forward(route, incoming, http, context);
      return slots.run(projectOf(context.caller), pass, context.signal);
    },
  });
  return { bind, close: () => agent.destroy() };
}

function agentFor({ protocol }: URL, options: AgentOptions, tls: TlsFiles | undefined): HttpAgent {
  if (protocol !== 'https:') return new HttpAgent(options);
  return tls === undefined ? new HttpsAgent(options) : createTlsAgent(tls, options);
}

function sharesAddress({ sharedAliases = [] }: Route, { path }: Route): boolean {
  return sharedAliases.some((alias) => alias === path);
}

/** Requests without a project share one account. */
function projectOf(caller: Principal | undefined): string {
  return caller === undefined || isAdministrator(caller) ? '' : caller.projectId;
}

/** Rejects what the upstream service would reject by the headers alone. */
function checkDeclaredBody(request: IncomingMessage, { limits }: Route): void {
  const maxBytes = limits?.maxBodyBytes ?? MAX_BODY_BYTES;
  compressionOf(request);
  if (declaredLength(request) > maxBytes) throw bodyTooLarge(maxBytes);
}

type UpstreamRequest = ReturnType<typeof httpRequest>;

/** @throws AppError `UNAVAILABLE` when no response begins */
async function exchange(request: IncomingMessage, upstream: UpstreamRequest): Promise<IncomingMessage> {
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve);
    // May fail again after the response has begun, when the upstream service rejects the rest of the body.
    upstream.on('error', (error) =>
      reject(unavailable('the service of this route is unavailable, send the request again later', error)),
    );
  });
  // Not `pipeline`: the client's request must outlive the upstream connection, because it still needs a response.
  request.pipe(upstream);
  // What the upstream service did not read is discarded: the next request of this connection comes after it.
  upstream.once('close', () => request.unpipe(upstream).resume());
  request.once('close', () => {
    if (!request.complete) upstream.destroy();
  });
  return response;
}

/** @throws AppError `UNAVAILABLE` for a redirect, which is neither followed nor returned, and for a response of another type */
function checkResponse(response: IncomingMessage): void {
  const { statusCode: status = 502 } = response;
  if ((status < 300 || status > 399) && RESPONSE_TYPE.test(response.headers['content-type'] ?? '')) return;
  response.destroy();
  throw unavailable('invalid response from the service of this route', new Error(`status ${status}`));
}

async function streamResponse(upstream: IncomingMessage, response: ServerResponse): Promise<void> {
  response.writeHead(upstream.statusCode ?? 502, returnedHeaders(upstream.headers));
  try {
    await pipeline(upstream, response);
  } catch {
    // The headers are sent: aborting the connection shows the client that the response is incomplete.
    response.destroy();
  }
}
