import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Route } from '@assay/contracts';
import type { Principal } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { isAdministrative } from './auth/bearer-auth.js';
import {
  CLIENT_ADDRESS_HEADER,
  INTERNAL_PREFIX,
  INTERNAL_TOKEN_HEADER,
  PRINCIPAL_HEADER,
  encodePrincipal,
} from './auth/internal-headers.js';
import type { Binding, Incoming } from './bind.js';
import { compressionOf, declaredLength } from './body/read-body.js';
import { MAX_BODY_BYTES, bodyTooLarge } from './body/body-limits.js';
import type { RequestContext } from './request-context.js';

export interface ProxyOptions {
  /** Address of the service that owns the routes, without a slash at the end. */
  readonly baseUrl: string;
  /** The secret by which the other service believes who the caller is. */
  readonly internalToken: string;
  /** To the first byte of the answer, and between two pieces of it. */
  readonly timeoutMs?: number;
}

/** Routes of another service, served here: requests and answers stream through, nothing is gathered. */
export interface RequestProxy {
  bind(route: Route): Binding;
  /** Ends idle connections to the other service. */
  close(): void;
}

const TIMEOUT_MS = 30_000;
/** Shorter than the other side keeps an idle connection, so that no request meets one that is being closed. */
const IDLE_MS = 30_000;
const MAX_SOCKETS = 256;

/** Headers of one connection, not of the request (RFC 9110, 7.6.1); and what is said anew to the other service. */
const NOT_PASSED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'authorization',
  'x-request-id',
]);

/** What is passed back of an answer's headers, besides those of Assay: the other service may not set cookies or policies for this address. */
const PASSED_BACK = new Set([
  'allow',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'deprecation',
  'link',
  'link-template',
  'preference-applied',
  'retry-after',
  'sunset',
  'vary',
  'www-authenticate',
  'x-request-id',
]);
/** The types of answers that the services give; any other comes from something else. */
const ANSWER_TYPE = /^application\/(json|x-protobuf)\b/i;

/**
 * The caller is known here, so the other service is told by internal headers; what a client sends under their names is dropped.
 * While the other service is away or too slow, the answer is 503.
 */
export function createProxy(options: ProxyOptions): RequestProxy {
  const target = new URL(options.baseUrl);
  const agentOptions = { keepAlive: true, timeout: IDLE_MS, maxSockets: MAX_SOCKETS };
  const agent = target.protocol === 'https:' ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;

  async function passOn(
    route: Route,
    incoming: Incoming,
    context: RequestContext<Principal | undefined>,
  ): Promise<undefined> {
    checkBody(incoming);
    const { headers: sent } = incoming.request;
    const headers = {
      ...passedHeaders(sent),
      ...ownCredential(route, sent),
      ...said(context, options.internalToken),
      host: target.host,
    };
    const path = `${target.pathname.replace(/\/$/, '')}${incoming.request.url ?? '/'}`;
    const upstream = send(target, {
      method: incoming.request.method,
      path,
      headers,
      agent,
      timeout: timeoutMs,
      signal: context.signal,
    });
    upstream.on('timeout', () => upstream.destroy(new Error('the other service did not answer in time')));
    incoming.admit();
    const answer = await exchange(incoming.request, upstream);
    checkResponse(answer);
    await passBack(answer, incoming);
    return undefined;
  }

  const bind = (route: Route): Binding => ({
    route,
    // No route of data planes is forwarded, so the caller is the client.
    carryOut: (incoming, context) =>
      passOn(route, incoming, context as RequestContext<Principal | undefined>),
  });
  return { bind, close: () => agent.destroy() };
}

/** What the other service would refuse from the headers alone is refused here. */
function checkBody({ request }: Incoming): void {
  compressionOf(request);
  if (declaredLength(request) > MAX_BODY_BYTES) throw bodyTooLarge(MAX_BODY_BYTES);
}

function passedHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const passed = Object.entries(headers).filter(
    ([name]) => !NOT_PASSED.has(name) && !named.has(name) && !name.startsWith(INTERNAL_PREFIX),
  );
  return Object.fromEntries(passed);
}

/** Administration is refused on a data plane's word alone: the service that owns it checks the client's own key or token. */
function ownCredential({ access }: Route, { authorization }: IncomingHttpHeaders): OutgoingHttpHeaders {
  return isAdministrative(access) && authorization !== undefined ? { authorization } : {};
}

function said(context: RequestContext<Principal | undefined>, internalToken: string): OutgoingHttpHeaders {
  const headers = { 'x-request-id': context.requestId, [CLIENT_ADDRESS_HEADER]: context.origin.address };
  if (context.caller === undefined) return headers;
  return {
    ...headers,
    [INTERNAL_TOKEN_HEADER]: internalToken,
    [PRINCIPAL_HEADER]: encodePrincipal(context.caller),
  };
}

type Upstream = ReturnType<typeof httpRequest>;

/** @throws AppError `UNAVAILABLE` when no answer begins */
async function exchange(request: IncomingMessage, upstream: Upstream): Promise<IncomingMessage> {
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve);
    // It may fail again after the answer has begun, when the other service refuses what is still being sent.
    upstream.on('error', (error) =>
      reject(unavailable('the service that answers this route cannot be reached', error)),
    );
  });
  // The request is not ended with the connection to the other service: it still has to be answered.
  request.pipe(upstream);
  request.once('close', () => {
    if (!request.complete) upstream.destroy();
  });
  return answered;
}

/** @throws AppError `UNAVAILABLE` for a redirect, which is never followed and never passed back, and for what no service of Assay answers */
function checkResponse(answer: IncomingMessage): void {
  const { statusCode: status = 502 } = answer;
  if ((status < 300 || status > 399) && ANSWER_TYPE.test(answer.headers['content-type'] ?? '')) return;
  answer.destroy();
  throw unavailable(
    'the service that answers this route has answered something else',
    new Error(`status ${status}`),
  );
}

async function passBack(answer: IncomingMessage, { response }: Incoming): Promise<void> {
  const status = answer.statusCode ?? 502;
  response.writeHead(status, passedAnswerHeaders(answer.headers));
  try {
    await pipeline(answer, response);
  } catch {
    // The answer has begun: all that is left is to break it off, so that the client sees that it is not whole.
    response.destroy();
  }
}

function passedAnswerHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => PASSED_BACK.has(name) || name.startsWith(INTERNAL_PREFIX)),
  );
}
