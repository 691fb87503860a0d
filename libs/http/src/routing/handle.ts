import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '@assay/contracts';
import { isAdministrator } from '@assay/domain';
import type { AppError } from '@assay/errors';
import type { FairSlots, Logger } from '@assay/runtime';
import { assertPermissions } from '../auth/assert-permissions.js';
import type { Authenticate, Identity } from '../auth/bearer-auth.js';
import { readBody } from '../body/read-body.js';
import { markAuthenticated } from '../request/authenticated-connections.js';
import { originOf, type IsTrustedProxy } from '../request/client-address.js';
import { requestIdOf, waitMsOf, type RequestContext } from '../request/request-context.js';
import { errorResponse, toAppError } from '../response/error-response.js';
import { acceptsGzip } from '../response/compression.js';
import { encodeResponse } from '../response/encode-response.js';
import { FailureWithHeaders, type UnencodedResponse, type WireResponse } from '../response/response.js';
import { send } from '../response/send.js';
import type { BodyGrant, ByteBudget } from '../scheduling/byte-budget.js';
import { makeConcurrencyLimit } from '../scheduling/concurrency-limit.js';
import type { FairScheduler } from '../scheduling/fair-scheduler.js';
import type { ScheduledTask } from '../scheduling/scheduled-task.js';
import type { Binding, IncomingRequest } from './bind.js';
import type { DeprecationHeaders } from './deprecation-headers.js';
import type { RequestMetrics } from './request-metrics.js';

export interface HandlerDeps {
  readonly authenticate: Authenticate;
  readonly budget: ByteBudget;
  /** Decides when the processing of a body starts. */
  readonly scheduler: FairScheduler;
  /** Responses that are read while they are sent. */
  readonly streams: FairSlots;
  readonly maxBodyBytes?: number;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly logger?: Logger;
  readonly metrics?: RequestMetrics;
  /** Headers of every response of the route. */
  readonly headersOf?: (route: Route) => DeprecationHeaders;
  /** Called with each request that fails. It must not throw. */
  readonly onFailure?: (failed: FailedRequest) => void;
}

/** A request that failed. */
export interface FailedRequest {
  readonly route: Route;
  readonly error: AppError;
  /** Absent when it failed before the caller was known, and on routes without a project. */
  readonly projectId?: string;
  readonly headers: IncomingHttpHeaders;
}

/** Handles one request. Never rejects; always sends a response. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  params: Readonly<Record<string, string>>,
) => Promise<void>;

/** A request during its processing, and the resources it holds. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly requestParts: unknown[];
  /** Headers of the response, apart from those of the operation. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Who is charged for the work. */
  account?: string;
  grant?: BodyGrant;
  task?: ScheduledTask;
}

/** Returns the handler of a binding: authentication, processing, response, metrics. */
export function makeHandler(binding: Binding, deps: HandlerDeps): Handler {
  const { route } = binding;
  const maxBodyBytes = route.limits?.maxBodyBytes ?? deps.maxBodyBytes;
  const withLimit = makeConcurrencyLimit(route.limits?.maxConcurrent);
  const headersFor = deps.headersOf?.(route) ?? (() => ({}));

  return async function handle(request, response, params) {
    const startedAt = performance.now();
    deps.scheduler.requestArrived();
    const requestId = requestIdOf(request.headers);
    const requestParts: unknown[] = [params];
    const headers = () => ({ 'X-Request-Id': requestId, ...headersFor(requestParts) });
    const exchange: Exchange = { request, response, requestId, params, requestParts, headers };
    let content: WireResponse | undefined;
    try {
      const handled = await handleWith(binding, exchange, { ...deps, maxBodyBytes, withLimit });
      content = handled && (await encoded(handled, exchange, { route, streams: deps.streams }));
    } catch (error) {
      content = failureResponse(error, route, exchange, deps);
    } finally {
      exchange.grant?.release();
      exchange.task?.close();
    }
    if (content !== undefined)
      send(request, response, { ...content, headers: { ...headers(), ...content.headers } });
    deps.metrics?.observe(
      route.operation,
      content?.status ?? response.statusCode,
      (performance.now() - startedAt) / 1000,
    );
  };
}

/** Encodes the response. @returns undefined when it was sent already, because it is large */
async function encoded(
  content: WireResponse | UnencodedResponse,
  { request, response, task, headers, account = '' }: Exchange,
  { route, streams }: { readonly route: Route; readonly streams: FairSlots },
): Promise<WireResponse | undefined> {
  if (!('json' in content) || task === undefined) return content as WireResponse;
  const all = { ...content, headers: { ...headers(), ...content.headers } };
  return encodeResponse(all, response, {
    task,
    streams,
    account,
    // Other services of the installation are near: compressing for them costs more than it saves.
    acceptsGzip: route.access !== 'data-plane' && acceptsGzip(request),
    signal: () => disconnectSignal(response),
  });
}

/** @returns undefined when a part of the response was sent: breaking the connection shows that it is incomplete */
function failureResponse(
  error: unknown,
  route: Route,
  { request, response, requestId, account }: Exchange,
  { logger, onFailure }: Pick<HandlerDeps, 'logger' | 'onFailure'>,
): WireResponse | undefined {
  const { cause, headers } = error instanceof FailureWithHeaders ? error : { cause: error, headers: {} };
  const failure = toAppError(cause, route.encoding);
  // A client that has disconnected is the cause of the failure itself.
  if (failure.code !== 'UNAVAILABLE' || !response.destroyed) logFailure(failure, route, requestId, logger);
  onFailure?.({ route, error: failure, projectId: account || undefined, headers: request.headers });
  if (response.headersSent) {
    response.destroy();
    return undefined;
  }
  const body = errorResponse(failure, route.encoding, request.headers['content-type']);
  return { ...body, headers: { ...body.headers, ...headers } };
}

/** Authenticates the request and passes it to the binding. @returns undefined when the binding has sent the response */
async function handleWith(
  binding: Binding,
  exchange: Exchange,
  deps: HandlerDeps & { readonly withLimit: ReturnType<typeof makeConcurrencyLimit> },
): Promise<WireResponse | UnencodedResponse | undefined> {
  const { request, requestId } = exchange;
  const { route, sharedWith } = binding;
  const { principal, dataPlane } = await deps.authenticate((sharedWith ?? route).access, request.headers);
  const account = (exchange.account = accountOf(route, { principal, dataPlane }));
  if (!sharedWith) assertPermissions(route, principal);
  if (principal !== undefined || dataPlane !== undefined) markAuthenticated(request.socket);
  const origin = originOf(request, dataPlane, deps.isTrustedProxy);
  const grant = (exchange.grant = deps.budget.open(account));
  const task = (exchange.task = deps.scheduler.open(account));
  const { yieldToEventLoop, runInTurns } = task;
  const incoming = incomingRequest(exchange, task, bodyReader(exchange, grant, task, deps.maxBodyBytes));
  const context = contextOf(
    { caller: principal ?? dataPlane, requestId, origin, yieldToEventLoop, runInTurns },
    exchange,
  );
  return deps.withLimit(() => binding.handle(incoming, context));
}

/**
 * Requests without a project share one account. Those of a data plane have one for each route, so that the look-up of a
 * key never waits behind a batch of events.
 */
function accountOf({ access, operation }: Route, { principal, dataPlane }: Identity): string {
  if (access === 'data-plane' && dataPlane) return `${dataPlane.id}/${operation}`;
  return principal === undefined || isAdministrator(principal) ? '' : principal.projectId;
}

function incomingRequest(
  exchange: Exchange,
  task: ScheduledTask,
  readBody: IncomingRequest['readBody'],
): IncomingRequest {
  const { request, response, params, requestParts } = exchange;
  const url = request.url ?? '';
  const queryStart = url.indexOf('?');
  return {
    request,
    response,
    requestParts,
    params,
    query: queryStart < 0 ? '' : url.slice(queryStart + 1),
    hasBody:
      request.headers['transfer-encoding'] !== undefined ||
      Number(request.headers['content-length'] ?? 0) > 0,
    sendContinue: () => sendContinue(exchange),
    begin: async () => {
      task.assertCapacity();
      await task.begin(0);
    },
    charge: (ms) => task.charge(ms),
    readBody,
  };
}

function bodyReader(
  exchange: Exchange,
  grant: BodyGrant,
  task: ScheduledTask,
  maxBytes: number | undefined,
): IncomingRequest['readBody'] {
  const onAccepted = () => sendContinue(exchange);
  return async (options) => {
    task.assertCapacity();
    const body = await readBody(exchange.request, grant, { ...options, maxBytes, onAccepted });
    await task.begin(body.length);
    return body;
  };
}

function sendContinue({ request, response }: Exchange): void {
  if (request.headers.expect === undefined) return;
  response.writeContinue();
  delete request.headers.expect;
}

type KnownContext<C> = Pick<
  RequestContext<C>,
  'caller' | 'requestId' | 'origin' | 'yieldToEventLoop' | 'runInTurns'
>;

function contextOf<C>(known: KnownContext<C>, { request, response }: Exchange): RequestContext<C> {
  let signal: AbortSignal | undefined;
  return {
    ...known,
    waitMs: waitMsOf(request.headers),
    get signal() {
      return (signal ??= disconnectSignal(response));
    },
    headers: request.headers,
  };
}

/** Created on demand, because most operations do not use it. */
function disconnectSignal(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  const onClose = () => {
    if (!response.writableFinished) abort.abort();
  };
  if (response.destroyed) onClose();
  else response.once('close', onClose);
  return abort.signal;
}

/** Logs failures that an operator can fix. Mistakes of clients are only counted. */
function logFailure(failure: AppError, route: Route, requestId: string, logger: Logger | undefined): void {
  const fields = { operation: route.operation, requestId, code: failure.code };
  if (failure.code === 'INTERNAL_ERROR') logger?.error('request failed', fields, failure.cause ?? failure);
  else if (failure.code === 'UNAVAILABLE')
    logger?.warn('request failed, dependency unavailable', fields, failure.cause ?? failure);
}
