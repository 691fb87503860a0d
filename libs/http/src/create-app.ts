import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { ROUTES, openApiDocument } from '@assay/contracts';
import { AppError, notFound, validationError } from '@assay/errors';
import type { Logger, Metrics } from '@assay/runtime';
import { errorResponse, toAppError } from './response/error-response.js';
import { JSON_TYPE, type WireResponse } from './response/response.js';
import { send } from './response/send.js';
import { makeBearerAuth, type BearerAuthOptions } from './auth/bearer-auth.js';
import type { Binding } from './bind.js';
import { makeIsProxy } from './client-address.js';
import type { ByteBudget } from './scheduling/byte-budget.js';
import { FairScheduler } from './scheduling/fair-scheduler.js';
import { makeAllowOrigin } from './cross-origin.js';
import { makeDeprecationHeaders } from './deprecated.js';
import { makeHandler, type Handler } from './handle.js';
import { readiness, type HealthOptions } from './health.js';
import { requestIdOf } from './request-context.js';
import { requestMetrics } from './request-metrics.js';

export interface AppOptions extends BearerAuthOptions {
  readonly bindings: readonly Binding[];
  readonly budget: ByteBudget;
  /** Bytes of a body after decompression; 50 MB when absent. */
  readonly maxBodyBytes?: number;
  /** Origins whose pages may call from a browser; none when absent. See `makeAllowOrigin`. */
  readonly allowedOrigins?: readonly string[];
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is believed; none when absent. */
  readonly trustedProxies?: readonly string[];
  /** Serves `/openapi.json` for the bound routes. */
  readonly openApi?: { readonly version: string };
  readonly health?: HealthOptions;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

/**
 * The whole HTTP interface as a listener for `node:http`. Express finds the route and the parameters of its path; the routes
 * without parameters that take data in are found by their exact path first, because Express costs several times what
 * the rest of a small request does. Both ways run the same handlers.
 */
export function createApp(options: AppOptions): RequestListener {
  refuseDoubles(options.bindings);
  const turns = new FairScheduler();
  const handlers = options.bindings.map((binding) => ({
    binding,
    handler: handlerOf(binding, turns, options),
  }));
  const app = expressApp(options, handlers);
  const direct = new Map(
    handlers
      .filter(({ binding }) => isDirect(binding))
      .flatMap(({ binding, handler }) => directEntries(binding, handler)),
  );
  const allowOrigin = makeAllowOrigin(options.allowedOrigins ?? []);
  return function listener(request, response) {
    allowOrigin(request, response);
    const handler = direct.get(`${request.method} ${request.url}`);
    if (handler === undefined) app(request, response);
    else void handler(request, response, {});
  };
}

/** Two bindings of one route are a mistake of the composition: it stops the start. */
function refuseDoubles(bindings: readonly Binding[]): void {
  const routes = bindings.flatMap((binding) =>
    pathsOf(binding).map((path) => `${binding.route.method} ${path}`),
  );
  const double = routes.find((route, index) => routes.indexOf(route) !== index);
  if (double !== undefined) throw new Error(`${double} is bound twice`);
}

interface Handled {
  readonly binding: Binding;
  readonly handler: Handler;
}

function handlerOf(binding: Binding, turns: FairScheduler, options: AppOptions): Handler {
  return makeHandler(binding, {
    authenticate: makeBearerAuth(options),
    budget: options.budget,
    turns,
    maxBodyBytes: options.maxBodyBytes,
    isProxy: makeIsProxy(options.trustedProxies ?? []),
    logger: options.logger,
    metrics: options.metrics && requestMetrics(options.metrics, options.budget, binding.route),
    headersOf: makeDeprecationHeaders([...ROUTES, ...options.bindings.map(({ route }) => route)]),
  });
}

function isDirect({ route }: Binding): boolean {
  return (route.access === 'ingest' || route.access === 'data-plane') && !route.path.includes('{');
}

function pathsOf({ route }: Binding): readonly string[] {
  return [route.path, ...(route.aliases ?? [])];
}

function directEntries(binding: Binding, handler: Handler): [string, Handler][] {
  return pathsOf(binding).map((path) => [`${binding.route.method} ${path}`, handler]);
}

function expressApp(options: AppOptions, handlers: readonly Handled[]): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', false);
  for (const { binding, handler } of handlers) {
    const method = METHODS[binding.route.method];
    for (const path of pathsOf(binding))
      app[method](expressPath(path), (request, response) => handler(request, response, textParams(request)));
  }
  addHealth(app, options.health ?? {});
  if (options.openApi) addOpenApi(app, options.bindings, options.openApi.version);
  addRefusals(
    app,
    handlers.map(({ binding }) => binding),
  );
  app.use(failureHandler(options.logger));
  return app;
}

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/** `/v1/events/{event_id}` as Express writes it. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function textParams(request: Request): Record<string, string> {
  return Object.fromEntries(Object.entries(request.params).map(([name, value]) => [name, String(value)]));
}

function addHealth(app: Express, health: HealthOptions): void {
  app.get(['/healthz', '/health'], (request, response) => sendJson(request, response, { status: 'ok' }));
  app.get('/readyz', async (request, response) => answer(request, response, await readiness(health)));
}

function addOpenApi(app: Express, bindings: readonly Binding[], version: string): void {
  const document = openApiDocument(
    bindings.map(({ route }) => route),
    { version },
  );
  app.get('/openapi.json', (request, response) => sendJson(request, response, document));
}

function sendJson(request: Request, response: Response, body: object): void {
  answer(request, response, { status: 200, contentType: JSON_TYPE, body: JSON.stringify(body) });
}

/** A known path with another method is 405 with what it allows; `OPTIONS` gets the same list. Everything else is 404. */
function addRefusals(app: Express, bindings: readonly Binding[]): void {
  for (const [path, methods] of methodsByPath(bindings)) {
    const headers = { Allow: methods.join(', ') };
    app.options(path, (request, response) =>
      answer(request, response, { status: 204, contentType: JSON_TYPE, body: '', headers }),
    );
    app.all(path, (request, response) =>
      refuse(
        request,
        response,
        new AppError('METHOD_NOT_ALLOWED', `this route takes ${headers.Allow}`),
        headers,
      ),
    );
  }
  app.use((request: Request, response: Response) =>
    refuse(request, response, notFound('there is no such route')),
  );
}

/** Paths without parameters come first: one with a parameter would match them too. */
function methodsByPath(bindings: readonly Binding[]): Map<string, string[]> {
  const literal = bindings.flatMap(pathsOf).filter((path) => !path.includes('{'));
  const methods = new Map<string, string[]>(literal.map((path) => [path, []]));
  for (const binding of bindings) {
    for (const path of pathsOf(binding).map(expressPath))
      methods.set(path, [...(methods.get(path) ?? []), binding.route.method]);
  }
  return methods;
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: AppError,
  headers: WireResponse['headers'] = {},
): void {
  const refusal = errorResponse(error);
  answer(request, response, { ...refusal, headers: { ...refusal.headers, ...headers } });
}

/** Answers what no route answers, with the id of the request like every answer. */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { headers, ...rest }: WireResponse,
): void {
  send(request, response, { ...rest, headers: { 'X-Request-Id': requestIdOf(request.headers), ...headers } });
}

/** What Express itself refuses, such as a path that is not valid percent-encoding. */
function failureHandler(logger: Logger | undefined): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (error instanceof URIError)
      return refuse(
        request,
        response,
        validationError('path is not valid percent-encoded UTF-8', { cause: error }),
      );
    const failure = toAppError(error);
    const requestId = requestIdOf(request.headers);
    logger?.error('request failed', { requestId, code: failure.code }, failure.cause ?? failure);
    refuse(request, response, failure, { 'X-Request-Id': requestId });
  };
}
