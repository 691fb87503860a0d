import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '@assay/contracts';
import { isAdministrator } from '@assay/domain';
import type { AppError } from '@assay/errors';
import type { Logger, YieldToEventLoop } from '@assay/runtime';
import { errorResponse, toAppError } from './response/error-response.js';
import type { WireResponse } from './response/response.js';
import { send } from './response/send.js';
import { originOf, type IsProxy, type Origin } from './client-address.js';
import type { Authenticate, Identified } from './auth/bearer-auth.js';
import type { Binding, Incoming } from './bind.js';
import type { BodyGrant, ByteBudget } from './scheduling/byte-budget.js';
import { makeConcurrencyLimit } from './scheduling/concurrency-limit.js';
import type { FairScheduler } from './scheduling/fair-scheduler.js';
import type { ScheduledTask } from './scheduling/scheduled-task.js';
import { readBody } from './body/read-body.js';
import { requestIdOf, waitMsOf, type RequestContext } from './request-context.js';
import type { DeprecationHeaders } from './deprecated.js';
import type { RequestMetrics } from './request-metrics.js';

export interface HandlerDeps {
  readonly authenticate: Authenticate;
  readonly budget: ByteBudget;
  /** The work with a body begins when it is the turn of its project. */
  readonly turns: FairScheduler;
  readonly maxBodyBytes?: number;
  readonly isProxy: IsProxy;
  readonly logger?: Logger;
  readonly metrics?: RequestMetrics;
  /** Headers that every answer of the route carries. */
  readonly headersOf?: (route: Route) => DeprecationHeaders;
}

/** Answers one request; never throws, always answers. */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  params: Readonly<Record<string, string>>,
) => Promise<void>;

/** Takes a request through its binding: who is it, may they, what do they send, what is the answer. Cheap refusals come first. */
export function makeHandler(binding: Binding, deps: HandlerDeps): Handler {
  const { route } = binding;
  const maxBodyBytes = route.limits?.maxBodyBytes ?? deps.maxBodyBytes;
  const withLimit = makeConcurrencyLimit(route.limits?.maxConcurrent);
  const headersFor = deps.headersOf?.(route) ?? (() => ({}));

  return async function handle(request, response, params) {
    const startedAt = performance.now();
    deps.turns.arrived();
    const requestId = requestIdOf(request.headers);
    let grant: BodyGrant | undefined;
    let work: ScheduledTask | undefined;
    let answer: WireResponse | undefined;
    const said: unknown[] = [params];
    try {
      const { principal, dataPlane } = await deps.authenticate(route.access, request.headers);
      const origin = originOf(request, dataPlane, deps.isProxy);
      const account = accountOf(route, { principal, dataPlane });
      grant = deps.budget.open(account);
      work = deps.turns.open(account);
      const read = bodyReader(request, response, work, grant, maxBodyBytes);
      const entered = incoming(request, response, said, params, read);
      const who = { caller: principal ?? dataPlane, requestId, origin, pause: work.pause };
      const context = contextOf(who, request, response);
      answer = await withLimit(() => binding.carryOut(entered, context));
    } catch (error) {
      const failure = toAppError(error, route.encoding);
      report(failure, route, requestId, deps.logger);
      answer = errorResponse(failure, route.encoding, request.headers['content-type']);
    } finally {
      grant?.release();
      work?.close();
    }
    if (answer !== undefined)
      send(request, response, {
        ...answer,
        headers: { 'X-Request-Id': requestId, ...headersFor(said), ...answer.headers },
      });
    deps.metrics?.answered(
      route.operation,
      answer?.status ?? response.statusCode,
      (performance.now() - startedAt) / 1000,
    );
  };
}

/**
 * Requests without a project share one account. Those of a data plane have one for each route, so that the look-up of a
 * key never waits behind a batch of events.
 */
function accountOf({ access, operation }: Route, { principal, dataPlane }: Identified): string {
  if (access === 'data-plane' && dataPlane) return `${dataPlane.id}/${operation}`;
  return principal === undefined || isAdministrator(principal) ? '' : principal.projectId;
}

function incoming(
  request: IncomingMessage,
  response: ServerResponse,
  said: unknown[],
  params: Incoming['params'],
  readBody: Incoming['readBody'],
): Incoming {
  const url = request.url ?? '';
  const question = url.indexOf('?');
  return {
    request,
    response,
    said,
    params,
    query: question < 0 ? '' : url.slice(question + 1),
    hasBody:
      request.headers['transfer-encoding'] !== undefined ||
      Number(request.headers['content-length'] ?? 0) > 0,
    admit: () => continueIfAsked(request, response),
    readBody,
  };
}

function bodyReader(
  request: IncomingMessage,
  response: ServerResponse,
  work: ScheduledTask,
  grant: BodyGrant,
  maxBytes: number | undefined,
): Incoming['readBody'] {
  const onAdmitted = () => continueIfAsked(request, response);
  return async (options) => {
    work.admit();
    const body = await readBody(request, grant, { ...options, maxBytes, onAdmitted });
    await work.begin(body.length);
    return body;
  };
}

function continueIfAsked(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect === undefined) return;
  response.writeContinue();
  delete request.headers.expect;
}

function contextOf<C>(
  who: {
    readonly caller: C;
    readonly requestId: string;
    readonly origin: Origin;
    readonly pause: YieldToEventLoop;
  },
  request: IncomingMessage,
  response: ServerResponse,
): RequestContext<C> {
  let signal: AbortSignal | undefined;
  return {
    ...who,
    waitMs: waitMsOf(request.headers),
    get signal() {
      return (signal ??= signalOf(response));
    },
    headers: request.headers,
  };
}

/** Made for those who ask: most operations never do. */
function signalOf(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  const closed = () => {
    if (!response.writableFinished) abort.abort();
  };
  if (response.destroyed) closed();
  else response.once('close', closed);
  return abort.signal;
}

/** Only what is ours to repair is logged; what a client did wrong is counted. */
function report(failure: AppError, route: Route, requestId: string, logger: Logger | undefined): void {
  const fields = { operation: route.operation, requestId, code: failure.code };
  if (failure.code === 'INTERNAL_ERROR') logger?.error('request failed', fields, failure.cause ?? failure);
  else if (failure.code === 'UNAVAILABLE')
    logger?.warn('request refused for now', fields, failure.cause ?? failure);
}
