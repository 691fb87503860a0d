import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { compile, ignoredParameters, type ResponseOf, type RequestOf, type Route } from '@assay/contracts';
import { AppError, validationError } from '@assay/errors';
import { runCooperatively, type YieldToEventLoop } from '@assay/runtime';
import {
  jsonResponse,
  type OperationResult,
  type UnencodedResponse,
  type WireResponse,
} from '../response/response.js';
import type { AnyCaller, CallerOf } from '../auth/route-caller.js';
import { otlpType, requireJson, type OtlpType } from '../body/content-type.js';
import { checkJsonSteps, parseJsonSteps, parseUnscannedJson } from '../json/parse-json.js';
import { JSON_LIMITS } from '../json/scan-json.js';
import { assertKnownParameters } from '../query/known-parameters.js';
import { decodeQuery, type QueryObject } from '../query/query-string.js';
import { coerceQuery } from '../query/coerce-query.js';
import type { RequestContext } from '../request/request-context.js';

/** A request by HTTP and its response. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A request that matched the route of a binding. */
export interface IncomingRequest {
  readonly headers: IncomingHttpHeaders;
  /** Undefined for a call by gRPC. */
  readonly http?: HttpExchange;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The path parameters; of a deprecated route also the query and the body, as far as they were checked. */
  readonly requestParts: unknown[];
  /** Without the question mark. */
  readonly query: string;
  readonly hasBody: boolean;
  /** Sends `100 Continue` to a client that waits for it (`Expect: 100-continue`). */
  sendContinue(): void;
  /**
   * Waits for the turn of the project. For requests whose body is not read here: {@link readBody} includes it.
   * @throws AppError `OVERLOADED` when too many requests of the project wait
   */
  begin(): Promise<void>;
  /** Charges work on the event loop to the project, in milliseconds. */
  charge(ms: number): void;
  /** Reads the body within the size limit and the byte budget. */
  readBody(options?: { readonly sniffGzip?: boolean }): Promise<Buffer>;
}

/** A route and its handler. */
export interface Binding {
  readonly route: Route;
  /**
   * A route with the same address, of weaker access. Senders of both reach `handle`, which decides from the body which
   * of them a request is for, and checks with `assertMayCall` that the sender may call it.
   */
  readonly sharedWith?: Route;
  /** Whether `handle` lets restricted keys call other routes only, which check the permissions of the key: the route itself needs none. */
  readonly delegates?: true;
  /** @returns undefined when the handler has sent the response */
  handle(
    request: IncomingRequest,
    context: RequestContext<AnyCaller>,
  ): Promise<WireResponse | UnencodedResponse | undefined>;
}

export type ContextOf<R extends Route> = RequestContext<CallerOf<R['access']>>;

export type Operation<R extends Route> = (
  request: RequestOf<R>,
  context: ContextOf<R>,
) => Promise<OperationResult<ResponseOf<R>>>;

/** Binds an operation to its route. The request is checked against the route's schemas before the operation receives it. */
export function bind<R extends Route>(route: R, operation: Operation<R>): Binding {
  const readRequest = requestReader(route);
  return {
    route,
    // Not an `await`: its frame would keep the body until the operation ends, so that garbage collection copies it.
    handle: (incoming, context) =>
      readRequest(incoming, context.yieldToEventLoop)
        // Authentication has checked the caller against the route's access, which determines the type of the caller.
        .then((request) => operation(request as RequestOf<R>, context as ContextOf<R>))
        .then(jsonResponse),
  };
}

interface CheckedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

function requestReader(
  route: Route,
): (incoming: IncomingRequest, yieldToEventLoop: YieldToEventLoop) => Promise<CheckedRequest> {
  const checkParams = route.params && compile(route.params, 'path');
  const checkQuery = queryChecker(route);
  const checkBody = route.body && compile(route.body);
  return async (incoming, yieldToEventLoop) => {
    if (!checkBody) await incoming.begin();
    const params: unknown = checkParams?.(incoming.params);
    const query = checkQuery(incoming.query);
    const body: unknown = checkBody?.(await readJson(incoming, route, yieldToEventLoop));
    if (route.successor !== undefined) incoming.requestParts.push(query, body);
    return { params, query, body };
  };
}

/**
 * Without a query schema, a route still rejects a malformed query string. Reads reject parameters that they do not have; a
 * write is not narrowed by one.
 */
function queryChecker(route: Route): (query: string) => unknown {
  const { query: schema, method } = route;
  const check = schema && compile(schema, 'query');
  const known = Object.keys((schema?.['properties'] as object | undefined) ?? {});
  const ignored = ignoredParameters(route);
  return (text) => {
    const query: QueryObject = decodeQuery(text);
    if (method === 'GET') assertKnownParameters(query, known, ignored);
    return schema && check?.(coerceQuery(schema, query));
  };
}

async function readJson(
  incoming: IncomingRequest,
  route: Route,
  yieldToEventLoop: YieldToEventLoop,
): Promise<unknown> {
  if (!incoming.hasBody) throw validationError('body is empty');
  requireJson(incoming.headers['content-type']);
  const bytes = await incoming.readBody();
  // The JSON of a data plane was scanned when it was accepted. Only its size is bounded: updates may have merged larger objects.
  return route.access === 'data-plane'
    ? parseUnscannedJson(bytes)
    : runCooperatively(parseJsonSteps(bytes), yieldToEventLoop);
}

/** A request whose body the operation decodes. */
export interface RawRequest {
  readonly body: Buffer;
  readonly contentType: OtlpType;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * OTLP/JSON needs up to four levels of JSON for each level of an attribute's value. The decoder rejects spans that are too
 * deep one by one, so this limit only protects the parser.
 */
export const OTLP_JSON_LIMITS = { ...JSON_LIMITS, maxDepth: 1000 };

export type RawOperation<R extends Route> = (
  request: RawRequest,
  context: ContextOf<R>,
) => Promise<WireResponse>;

/** Binds an operation that takes and returns OTLP bytes. JSON is scanned, not parsed. */
export function bindRaw<R extends Route>(route: R, operation: RawOperation<R>): Binding {
  return {
    route,
    // As in `bind`, nothing keeps the body until the operation ends.
    handle: (incoming, context) =>
      readRaw(incoming, context.yieldToEventLoop).then((request) =>
        operation(request, context as ContextOf<R>),
      ),
  };
}

async function readRaw(incoming: IncomingRequest, yieldToEventLoop: YieldToEventLoop): Promise<RawRequest> {
  const declared = otlpType(incoming.headers['content-type']);
  const bytes = await incoming.readBody({ sniffGzip: true });
  const contentType = declared ?? detectType(bytes);
  const body =
    contentType === 'application/json'
      ? await runCooperatively(checkJsonSteps(bytes, OTLP_JSON_LIMITS), yieldToEventLoop)
      : bytes;
  return { body, contentType, params: incoming.params };
}

function detectType(bytes: Buffer): OtlpType {
  if (/^\s*\{/.test(bytes.toString('latin1', 0, 64))) return 'application/json';
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Content-Type must be application/json or application/x-protobuf',
  );
}
