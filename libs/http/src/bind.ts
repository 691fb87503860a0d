import type { IncomingMessage, ServerResponse } from 'node:http';
import { compile, type ResponseOf, type RequestOf, type Route, type TSchema } from '@assay/contracts';
import { AppError, validationError } from '@assay/errors';
import { runCooperatively, type YieldToEventLoop } from '@assay/runtime';
import { jsonResponse, type Answer, type WireResponse } from './response/response.js';
import type { AnyCaller, CallerOf } from './auth/caller-of.js';
import { otlpType, requireJson, type OtlpType } from './body/content-type.js';
import { checkJsonSteps, parseJsonSteps, parseUnscannedJson } from './json/parse-json.js';
import { JSON_LIMITS } from './json/scan-json.js';
import { decodeQuery, type QueryObject } from './query/query-string.js';
import { coerceQuery } from './query/coerce-query.js';
import type { RequestContext } from './request-context.js';

/** A request on its way through a binding. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** What names things in the request, as far as it was checked: the parameters of the path, the query, the body. */
  readonly said: unknown[];
  /** Without the question mark. */
  readonly query: string;
  readonly hasBody: boolean;
  /** Invites the body of a client that asked first (`Expect: 100-continue`). */
  admit(): void;
  /** Reads the body within limits and budget. */
  readBody(options?: { readonly sniffGzip?: boolean }): Promise<Buffer>;
}

/** A route with what carries it out. */
export interface Binding {
  readonly route: Route;
  /** @returns undefined when the answer has been sent already */
  carryOut(incoming: Incoming, context: RequestContext<AnyCaller>): Promise<WireResponse | undefined>;
}

export type ContextOf<R extends Route> = RequestContext<CallerOf<R['access']>>;

export type Operation<R extends Route> = (
  request: RequestOf<R>,
  context: ContextOf<R>,
) => Promise<ResponseOf<R> | Answer<ResponseOf<R>>>;

/** Plugs an operation into its route: the request is checked against the route's schemas before the operation sees it. */
export function bind<R extends Route>(route: R, operation: Operation<R>): Binding {
  const readRequest = requestReader(route);
  return {
    route,
    async carryOut(incoming, context) {
      const request = await readRequest(incoming, context.pause);
      // Who may call was checked against the route's access, so the caller has the type that the access stands for.
      return jsonResponse(await operation(request as RequestOf<R>, context as ContextOf<R>));
    },
  };
}

interface CheckedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

function requestReader(
  route: Route,
): (incoming: Incoming, pause: YieldToEventLoop) => Promise<CheckedRequest> {
  const checkParams = route.params && compile(route.params, 'path');
  const checkQuery = queryChecker(route.query);
  const checkBody = route.body && compile(route.body);
  return async (incoming, pause) => {
    const params: unknown = checkParams?.(incoming.params);
    const query = checkQuery(incoming.query);
    const body: unknown = checkBody?.(await readJson(incoming, route, pause));
    incoming.said.push(query, body);
    return { params, query, body };
  };
}

/** A route without a query schema still refuses a query that is no query. */
function queryChecker(schema: TSchema | undefined): (query: string) => unknown {
  const check = schema && compile(schema, 'query');
  return (text) => {
    const query: QueryObject = decodeQuery(text);
    return schema && check?.(coerceQuery(schema, query));
  };
}

async function readJson(incoming: Incoming, route: Route, pause: YieldToEventLoop): Promise<unknown> {
  if (!incoming.hasBody) throw validationError('body is empty');
  requireJson(incoming.request.headers['content-type']);
  const bytes = await incoming.readBody();
  // A data plane sends what was scanned when it was accepted. Its size bounds it; updates may have merged larger objects.
  return route.access === 'data-plane'
    ? parseUnscannedJson(bytes)
    : runCooperatively(parseJsonSteps(bytes), pause);
}

/** A request whose body the operation reads itself. */
export interface RawRequest {
  readonly body: Buffer;
  readonly contentType: OtlpType;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * OTLP's JSON nests an attribute's value in up to four levels of JSON for each of its own. The reader of spans refuses what is too
 * deep span by span, so here the limit only keeps the parser safe.
 */
const OTLP_JSON_LIMITS = { ...JSON_LIMITS, maxDepth: 1000 };

export type RawOperation<R extends Route> = (
  request: RawRequest,
  context: ContextOf<R>,
) => Promise<WireResponse>;

/** Plugs in an operation that reads OTLP bytes and answers bytes. JSON is checked as far as it can be without parsing. */
export function bindRaw<R extends Route>(route: R, operation: RawOperation<R>): Binding {
  return {
    route,
    async carryOut(incoming, context) {
      const declared = otlpType(incoming.request.headers['content-type']);
      const bytes = await incoming.readBody({ sniffGzip: true });
      const contentType = declared ?? sniffed(bytes);
      const body =
        contentType === 'application/json'
          ? await runCooperatively(checkJsonSteps(bytes, OTLP_JSON_LIMITS), context.pause)
          : bytes;
      return operation({ body, contentType, params: incoming.params }, context as ContextOf<R>);
    },
  };
}

function sniffed(bytes: Buffer): OtlpType {
  if (/^\s*\{/.test(bytes.toString('latin1', 0, 64))) return 'application/json';
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Content-Type must be application/json or application/x-protobuf',
  );
}
