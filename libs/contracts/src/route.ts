import type { Static, TSchema } from '@sinclair/typebox';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The service that answers a route itself; the data plane passes the others on. */
export type RouteOwner = 'ingestion' | 'data-plane' | 'control-plane';

/**
 * Who may call. `ingest`: any project key; `project`: a project key with all rights; `admin`: the administrator's token;
 * `admin-or-project`: either; `public`: nobody is asked. `data-plane`: the token of a data plane, on the internal API only.
 */
export type RouteAccess = 'ingest' | 'project' | 'admin' | 'admin-or-project' | 'public' | 'data-plane';

/** Limits of one route, where they differ from those of the app. */
export interface RouteLimits {
  /** Bytes of a body after decompression. */
  readonly maxBodyBytes?: number;
  /** Requests that are handled at the same time; further ones are refused with `OVERLOADED` before their body is read. */
  readonly maxConcurrent?: number;
}

/** One route of the API, declared once: the router, the checks, the pass-on, the OpenAPI document and the tests read this. */
export interface Route<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
> {
  /** camelCase name of the operation, unique in the catalogue. */
  readonly operation: string;
  readonly method: HttpMethod;
  /** Path with `{name}` for parameters. */
  readonly path: `/${string}`;
  /** Other paths with the same behaviour, such as the one without `/v1`. */
  readonly aliases?: readonly `/${string}`[];
  readonly owner: RouteOwner;
  readonly access: RouteAccess;
  readonly tag: string;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly limits?: RouteLimits;
  /** Schema of the JSON body; absent: the route takes none. */
  readonly body?: Body;
  /** `otlp`: the body is an OTLP message in JSON or protobuf, read by the operation; absent: JSON. */
  readonly encoding?: 'otlp';
  /** Schema of the answer on 200. */
  readonly answer: Answer;
  /** Takes an `Idempotency-Key`: the same request, sent again under its key, makes nothing new. */
  readonly repeatable?: true;
  /** The operation that replaces this one. */
  readonly successor?: string;
}

/** Declares a route. Its access is kept as a literal type, so that an operation is given the kind of caller it allows. */
export function defineRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  A extends TSchema,
  const X extends RouteAccess,
>(route: Route<P, Q, B, A> & { readonly access: X }): Route<P, Q, B, A> & { readonly access: X } {
  return route;
}

/** What an operation receives: checked against the route's schemas. A default is the operation's to apply. */
export interface RequestOf<R extends Route> {
  readonly params: R extends Route<infer P> ? Static<P> : never;
  readonly query: R extends Route<TSchema, infer Q> ? Static<Q> : never;
  readonly body: R extends Route<TSchema, TSchema, infer B> ? Static<B> : never;
}

export type ResponseOf<R extends Route> =
  R extends Route<TSchema, TSchema, TSchema, infer A> ? Static<A> : never;
