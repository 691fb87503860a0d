import type { IncomingMessage, RequestListener } from 'node:http';
import express, { type Express, type Request } from 'express';
import { ROUTES, openApiDocument } from '@assay/contracts';
import { FairSlots, type Logger, type Metrics } from '@assay/runtime';
import type { Tracing } from '@assay/telemetry';
import { makeBearerAuth, type BearerAuthOptions } from '../auth/bearer-auth.js';
import { makeIdentifyAdministrator } from '../auth/identify-administrator.js';
import { isProtobuf } from '../body/content-type.js';
import type { ConsoleOptions } from '../console/console-options.js';
import { createConsole, type Console } from '../console/create-console.js';
import { trustedProxyCheck } from '../request/client-address.js';
import { requestIdOf } from '../request/request-context.js';
import { makeDocuments } from '../response/document.js';
import { JSON_TYPE, type WireResponse } from '../response/response.js';
import { UnsentResponses } from '../response/unsent-responses.js';
import type { Binding } from '../routing/bind.js';
import { makeDeprecationHeaders } from '../routing/deprecation-headers.js';
import { makeHandler, type FailedRequest, type Handler, type HandlerDeps } from '../routing/handle.js';
import { requestMetrics } from '../routing/request-metrics.js';
import type { ByteBudget } from '../scheduling/byte-budget.js';
import { FairScheduler } from '../scheduling/fair-scheduler.js';
import { makeAllowOrigin } from './cross-origin.js';
import { makeDirectRoutes, type BoundHandler } from './direct-routes.js';
import { addFallbacks, respond } from './fallbacks.js';
import { createHealth, type HealthOptions } from './health.js';
import { makeCallApi, type CallApi } from './in-process-api.js';
import { expressPath, literalFirst, pathsOf } from './paths.js';
import type { ProductVersion } from './product-version.js';
import { makeStartPage } from './start-page/start-page.js';
import { isUnknownWord } from './word-paths.js';

export interface AppOptions extends BearerAuthOptions {
  readonly bindings: readonly Binding[];
  /** Returns bindings that call the API of this process, and are no part of it: the OpenAPI document does not list them. */
  readonly bindingsOnApi?: ((callApi: CallApi) => readonly Binding[]) | undefined;
  readonly budget: ByteBudget;
  /** Shares the event loop between projects; a scheduler of its own by default. */
  readonly scheduler?: FairScheduler;
  /** Maximum size of a body after decompression, in bytes; 50 MB by default. */
  readonly maxBodyBytes?: number;
  /** Origins whose pages may call the API from a browser; none by default. See `makeAllowOrigin`. */
  readonly allowedOrigins?: readonly string[];
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is trusted; none by default. */
  readonly trustedProxies?: readonly string[];
  /** Serves `/openapi.json` for the bound routes. */
  readonly openApi?: { readonly version: string };
  readonly health?: HealthOptions;
  /** Serves the console below `/console`, and lets its sessions authenticate requests of the routes that are for it. */
  readonly console?: ConsoleOptions | undefined;
  /** Served at `/version`. */
  readonly product?: ProductVersion;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Absent when this process traces nothing. */
  readonly tracing?: Tracing | undefined;
  /** Called with each request that fails. It must not throw. */
  readonly onFailure?: (failed: FailedRequest) => void;
}

/** Lists that are read from a store while they are sent. Each holds about a page of documents in memory. */
const STREAM_SLOTS = { total: 16, perProject: 2, maxWaiting: 32, maxWaitMs: 10_000 };

/**
 * Returns the HTTP API as a listener for `node:http`. Express matches routes and their path parameters. Requests to
 * ingest routes are matched without it first, see `makeDirectRoutes`. Both ways use the same handlers.
 */
export function createApp(options: AppOptions): RequestListener {
  const api: { listener?: RequestListener } = {};
  const onApi = options.bindingsOnApi?.(
    makeCallApi((request, response) => api.listener?.(request, response)),
  );
  return (api.listener = makeListener(options, onApi ?? []));
}

function makeListener(options: AppOptions, onApi: readonly Binding[]): RequestListener {
  const documented = withFreeAliases(options.bindings);
  const bindings = [...documented, ...onApi];
  assertNoDuplicates(bindings);
  const { scheduler = new FairScheduler() } = options;
  const shared = {
    ...{ scheduler, streams: new FairSlots(STREAM_SLOTS), unsent: new UnsentResponses() },
    headersOf: makeDeprecationHeaders([...ROUTES, ...options.bindings.map(({ route }) => route)]),
  };
  options.metrics?.gauge(
    'assay_http_requests_waiting',
    'Requests that wait for processing time',
    [],
    (gauge) => gauge.set(scheduler.waitingTasks),
  );
  const consoleApp = openConsole({ ...options, bindings });
  const handlers = bindings.map((binding) => {
    const handler = handlerOf(binding, shared, options);
    return { binding, handler: consoleApp?.authenticating(binding.route, handler) ?? handler };
  });
  const app = expressApp({ ...options, bindings: documented }, handlers);
  const ofProtobuf = new Map(handlers.flatMap(sharedEntries));
  const matchDirect = makeDirectRoutes(handlers);
  const allowOrigin = makeAllowOrigin(options.allowedOrigins ?? []);
  return function listener(request, response) {
    allowOrigin(request, response);
    const direct = matchDirect(request);
    if (direct) return void direct.handler(request, response, direct.params);
    const ofConsole = consoleApp?.match(request);
    if (ofConsole) return ofConsole(request, response);
    const handler = isProtobuf(request.headers['content-type'])
      ? ofProtobuf.get(requestKey(request))
      : undefined;
    if (handler === undefined) app(request, response);
    else void handler(request, response, {});
  };
}

function openConsole(options: AppOptions): Console | undefined {
  const { console: served, bindings, authenticator, budget, logger, product } = options;
  if (served === undefined) return undefined;
  return createConsole({
    options: served,
    authenticator,
    identifyAdministrator: makeIdentifyAdministrator(options),
    budget,
    logger,
    isTrustedProxy: trustedProxyCheck(options.trustedProxies ?? []),
    version: product?.version ?? '',
    capabilities: bindings
      .filter(({ route }) => route.console === true)
      .map(({ route }) => route.operation)
      .sort(),
  });
}

/** A path that a route shares with another one belongs to it where the other is not bound. */
function withFreeAliases(bindings: readonly Binding[]): Binding[] {
  const taken = new Set(
    bindings.flatMap((binding) => pathsOf(binding).map((path) => `${binding.route.method} ${path}`)),
  );
  return bindings.map((binding) => {
    const { route } = binding;
    const { method, aliases = [], sharedAliases = [] } = route;
    const free = sharedAliases.filter((path) => !taken.has(`${method} ${path}`));
    const shared = sharedAliases.filter((path) => !free.includes(path));
    if (free.length === 0) return binding;
    return { ...binding, route: { ...route, aliases: [...aliases, ...free], sharedAliases: shared } };
  });
}

function sharedEntries({ binding: { route }, handler }: BoundHandler): [string, Handler][] {
  return (route.sharedAliases ?? []).map((path) => [`${route.method} ${path}`, handler]);
}

/** Method and path, without the query and a trailing slash. */
function requestKey({ method, url = '' }: IncomingMessage): string {
  return `${method} ${(url.split('?', 1)[0] ?? '').replace(/\/$/, '')}`;
}

/** Two bindings of one route are a programming error: it prevents the start. */
function assertNoDuplicates(bindings: readonly Binding[]): void {
  const routes = bindings.flatMap((binding) =>
    pathsOf(binding).map((path) => `${binding.route.method} ${path}`),
  );
  const duplicate = routes.find((route, index) => routes.indexOf(route) !== index);
  if (duplicate !== undefined) throw new Error(`${duplicate} is bound twice`);
}

function handlerOf(
  binding: Binding,
  shared: Pick<HandlerDeps, 'scheduler' | 'streams' | 'unsent' | 'headersOf'>,
  options: AppOptions,
): Handler {
  return makeHandler(binding, {
    authenticate: makeBearerAuth(options),
    budget: options.budget,
    ...shared,
    maxBodyBytes: options.maxBodyBytes,
    isTrustedProxy: trustedProxyCheck(options.trustedProxies ?? []),
    identityHeader: options.console?.identityHeader,
    logger: options.logger,
    tracing: options.tracing,
    onFailure: options.onFailure,
    metrics: options.metrics && requestMetrics(options.metrics, options.budget, binding.route),
  });
}

function expressApp(options: AppOptions, handlers: readonly BoundHandler[]): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').set('query parser', false);
  const bound = handlers.flatMap((one) => pathsOf(one.binding).map((path) => ({ path, ...one })));
  for (const { path, binding, handler } of bound.sort((left, right) => literalFirst(left.path, right.path)))
    app[METHODS[binding.route.method]](expressPath(path), (request, response, next) =>
      isUnknownWord(binding.route, path, request.params)
        ? next()
        : handler(request, response, textParams(request)),
    );
  addHealth(app, options.health ?? {});
  if (options.product) addVersion(app, options.product);
  if (options.openApi) {
    addOpenApi(app, options.bindings, options.openApi.version);
    addStartPage(app, options, options.openApi.version);
  }
  addFallbacks(
    app,
    handlers.map(({ binding }) => binding),
    options.logger,
  );
  return app;
}

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

function textParams(request: Request): Record<string, string> {
  return Object.fromEntries(Object.entries(request.params).map(([name, value]) => [name, String(value)]));
}

function addHealth(app: Express, options: HealthOptions): void {
  const health = createHealth(options);
  app.get(['/healthz', '/health'], async (request, response) =>
    respond(request, response, await health.liveness()),
  );
  app.get('/readyz', async (request, response) => respond(request, response, await health.readiness()));
}

function addVersion(app: Express, { version, commit }: ProductVersion): void {
  const content = ok({ version, commit });
  app.get('/version', (request, response) => respond(request, response, content));
}

/** The document is made when it is first asked for: a start needs no such time. */
function addOpenApi(app: Express, bindings: readonly Binding[], version: string): void {
  const routes = bindings.map(({ route }) => route);
  let documentResponse: ReturnType<ReturnType<typeof makeDocuments>> | undefined;
  app.get('/openapi.json', async (request, response) => {
    documentResponse ??= makeDocuments()(ok(openApiDocument(routes, { version })));
    respond(request, response, await documentResponse(request, response, requestIdOf(request.headers)));
  });
}

/** What the page sends to. */
const EVENT_ROUTES = ['POST /v1/events', 'POST /v1/events/search', 'POST /opentelemetry/v1/traces'];

function addStartPage(app: Express, { bindings, trustedProxies = [] }: AppOptions, version: string): void {
  const bound = new Set(
    bindings.flatMap((binding) => pathsOf(binding).map((path) => `${binding.route.method} ${path}`)),
  );
  const takesEvents = EVENT_ROUTES.every((route) => bound.has(route));
  const isTrustedProxy = trustedProxyCheck(trustedProxies);
  const startPage = makeStartPage({ version, takesEvents, isTrustedProxy });
  app.get('/', (request, response, next) => {
    const page = startPage(request, response);
    if (page === undefined) next();
    else respond(request, response, page);
  });
}

function ok(body: object): WireResponse {
  return { status: 200, contentType: JSON_TYPE, body: JSON.stringify(body) };
}
