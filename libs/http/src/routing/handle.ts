import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '@assay/contracts';
import type { AppError } from '@assay/errors';
import type { FairSlots, Logger } from '@assay/runtime';
import type { TracedRoute } from '@assay/telemetry';
import { readBody } from '../body/read-body.js';
import { requestIdOf } from '../request/request-context.js';
import { errorResponse, toAppError } from '../response/error-response.js';
import { acceptsGzip } from '../response/compression.js';
import { encodeResponse } from '../response/encode-response.js';
import { FailureWithHeaders, type UnencodedResponse, type WireResponse } from '../response/response.js';
import { send } from '../response/send.js';
import type { UnsentResponses } from '../response/unsent-responses.js';
import type { Binding, HttpExchange } from './bind.js';
import type { DeprecationHeaders } from './deprecation-headers.js';
import {
  bindingDeps,
  endRequestSpan,
  logFailure,
  logRequest,
  processRequest,
  RequestResources,
  type ProcessDeps,
  type RequestSource,
} from './process-request.js';
import type { RequestMetrics } from './request-metrics.js';

export interface HandlerDeps extends ProcessDeps {
  /** Responses that are read while they are sent. */
  readonly streams: FairSlots;
  /** Responses that are held until they are sent. */
  readonly unsent: UnsentResponses;
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

/** A request during its processing. */
interface Exchange extends HttpExchange {
  readonly requestId: string;
  /** Headers of the response, apart from those of the operation. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly resources: RequestResources;
}

/** Returns the handler of a binding: authentication, processing, response, metrics. */
export function makeHandler(binding: Binding, deps: HandlerDeps): Handler {
  const { route } = binding;
  const shared = bindingDeps(binding, deps);
  const traced = spanOf(route);
  const headersFor = deps.headersOf?.(route) ?? (() => undefined);

  return async function handle(request, response, params) {
    const startedAt = performance.now();
    deps.scheduler.requestArrived();
    const requestId = requestIdOf(request.headers);
    const requestParts: unknown[] = [params];
    const headers = () => ({ 'X-Request-Id': requestId, ...headersFor(requestParts) });
    const resources = new RequestResources();
    const exchange: Exchange = { request, response, requestId, headers, resources };
    const trace = deps.tracing?.startRequest(traced, request.headers);
    const source = httpSource(exchange, { requestId, trace }, params, requestParts);
    let content: WireResponse | undefined;
    let failed: Failure | undefined;
    try {
      const handled = await processRequest(binding, source, resources, shared);
      content = handled && (await encoded(handled, exchange, route, deps));
      if (content) deps.unsent.hold(resources.account, content.body.length, response);
    } catch (error) {
      failed = failureOf(error, route);
      content = failureResponse(failed, route, exchange, deps);
    } finally {
      resources.release();
    }
    if (content !== undefined) send(request, response, content, headers());
    const status = content?.status ?? response.statusCode;
    const durationMs = performance.now() - startedAt;
    deps.metrics?.observe(route.operation, status, durationMs / 1000);
    const { operation } = route;
    const { account: projectId } = resources;
    const error = failed?.error;
    endRequestSpan(trace, { projectId, statusName: 'http.response.status_code', status, error });
    const code = error?.code;
    logRequest(deps.logger, { operation, requestId, projectId, status, durationMs, code });
  };
}

/** Name and attributes of the spans of a route: its template, never the path. */
function spanOf({ method, path, operation }: Route): TracedRoute {
  const attributes = { 'http.request.method': method, 'http.route': path, 'assay.operation': operation };
  return { name: `${method} ${path}`, attributes };
}

/** Encodes the response. @returns undefined when it was sent already, because it is large */
async function encoded(
  content: WireResponse | UnencodedResponse,
  { request, response, resources: { task, account }, headers }: Exchange,
  route: Route,
  { streams, unsent }: Pick<HandlerDeps, 'streams' | 'unsent'>,
): Promise<WireResponse | undefined> {
  if (!('json' in content) || task === undefined) return content as WireResponse;
  const { status, json } = content;
  const all = { status, json, headers: { ...headers(), ...content.headers } };
  return encodeResponse(all, response, {
    task,
    streams,
    unsent,
    account,
    // Other services of the installation are near: compressing for them costs more than it saves.
    acceptsGzip: route.access !== 'data-plane' && acceptsGzip(request),
    signal: () => disconnectSignal(response),
  });
}

/** A failed request: the error that is sent, and headers of the response. */
interface Failure {
  readonly error: AppError;
  readonly headers: Readonly<Record<string, string>>;
}

function failureOf(error: unknown, { encoding }: Route): Failure {
  return error instanceof FailureWithHeaders
    ? { error: toAppError(error.cause, encoding), headers: error.headers }
    : { error: toAppError(error, encoding), headers: {} };
}

/** @returns undefined when a part of the response was sent: breaking the connection shows that it is incomplete */
function failureResponse(
  { error: failure, headers }: Failure,
  route: Route,
  { request, response, requestId, resources: { account } }: Exchange,
  { logger, onFailure }: Pick<HandlerDeps, 'logger' | 'onFailure'>,
): WireResponse | undefined {
  // A client that has disconnected is the cause of the failure itself.
  if (failure.code !== 'UNAVAILABLE' || !response.destroyed) logFailure(failure, route, requestId, logger);
  onFailure?.({ route, error: failure, projectId: account || undefined, headers: request.headers });
  if (response.headersSent) {
    response.destroy();
    return undefined;
  }
  const contentType = request.headers['content-type'];
  const body = errorResponse(failure, { requestId, encoding: route.encoding, contentType });
  return { ...body, headers: { ...body.headers, ...headers } };
}

function httpSource(
  { request, response }: HttpExchange,
  identity: Pick<RequestSource, 'requestId' | 'trace'>,
  params: Readonly<Record<string, string>>,
  requestParts: unknown[],
): RequestSource {
  const { headers, socket, url = '' } = request;
  const queryStart = url.indexOf('?');
  return {
    headers,
    socket,
    ...identity,
    params,
    requestParts,
    http: { request, response },
    query: queryStart < 0 ? '' : url.slice(queryStart + 1),
    hasBody: headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0,
    sendContinue: () => sendContinue(request, response),
    readBody: (grant, options) => readBody(request, grant, options),
    disconnectSignal: () => disconnectSignal(response),
  };
}

function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect === undefined) return;
  response.writeContinue();
  delete request.headers.expect;
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
