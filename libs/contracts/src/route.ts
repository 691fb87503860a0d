import type { Permission } from '@assay/domain';
import type { Static, TSchema } from '@sinclair/typebox';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The service that handles a route. The data plane proxies requests for the routes of the other services. */
export type RouteOwner = 'ingestion' | 'data-plane' | 'control-plane' | 'evaluator';

/**
 * Credential that a route requires. `ingest`: any project key; `project`: a project key that is no ingestion key;
 * `admin`: the token of an administrator with the role of the route; `admin-or-project`: either of the last two; `public`: none;
 * `data-plane`: a data-plane token, on the internal API only.
 */
export type RouteAccess = 'ingest' | 'project' | 'admin' | 'admin-or-project' | 'public' | 'data-plane';

/** Limits of one route, where they differ from those of the app. */
export interface RouteLimits {
  /** Bytes of a body after decompression. */
  readonly maxBodyBytes?: number;
  /** Concurrent requests; further ones are rejected with `OVERLOADED` before their body is read. */
  readonly maxConcurrent?: number;
}

/**
 * One route of the API. The router, the validation, the proxy, the OpenAPI document and the tests all read
 * it.
 */
export interface Route<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Response extends TSchema = TSchema,
> {
  /** Name of the operation in camelCase, unique among all routes. */
  readonly operation: string;
  readonly method: HttpMethod;
  /** Path, with each parameter written as `{name}`. */
  readonly path: `/${string}`;
  /** Further paths with the same behaviour, such as the one without `/v1`. */
  readonly aliases?: readonly `/${string}`[];
  /** The aliases that the OpenAPI document describes beside the path, because the specification names them. */
  readonly describedAliases?: readonly `/${string}`[];
  /**
   * Paths on which another route has the same method. There the route receives bodies in protobuf; where no
   * other route is bound, all.
   */
  readonly sharedAliases?: readonly `/${string}`[];
  readonly owner: RouteOwner;
  readonly access: RouteAccess;
  readonly tag: string;
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly limits?: RouteLimits;
  /** Schema of the JSON body. Absent: the route takes no body. */
  readonly body?: Body;
  /**
   * `otlp`: the operation decodes the body, an OTLP message in JSON or protobuf. Absent: the body is JSON.
   */
  readonly encoding?: 'otlp';
  /** Schema of the body of a 200 response. */
  readonly response: Response;
  /** Whether the route accepts an `Idempotency-Key`: a retry under the same key creates nothing new. */
  readonly repeatable?: true;
  /** Whether a route other than GET only reads. An internal call of one is repeated when its connection breaks. */
  readonly readOnly?: true;
  /** Permissions that a restricted key needs besides that of the route's tag, because the route touches other resources. */
  readonly permissions?: readonly Permission[];
  /**
   * Whether a cookie of the console authenticates requests of the route as well as a header does: that of the session, and that of unlocked
   * administration where the administrator's token is accepted.
   */
  readonly console?: true;
  /** Operation that replaces this one. A route with a successor is deprecated. */
  readonly successor?: string;
}

const declared = new WeakSet<object>();

/**
 * Declares a route and returns it. The catalogue collects every declared route that a file of `api/` exports.
 * The access keeps its literal type, so that an operation receives the kind of caller that the route admits.
 */
export function defineRoute<
  P extends TSchema,
  Q extends TSchema,
  B extends TSchema,
  R extends TSchema,
  const X extends RouteAccess,
>(route: Route<P, Q, B, R> & { readonly access: X }): Route<P, Q, B, R> & { readonly access: X } {
  declared.add(route);
  return route;
}

/** Whether `defineRoute` returned this value. */
export function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && declared.has(value);
}

/**
 * Request that an operation receives, validated against the route's schemas. The operation applies the
 * defaults.
 */
export interface RequestOf<R extends Route> {
  readonly params: R extends Route<infer P> ? Static<P> : never;
  readonly query: R extends Route<TSchema, infer Q> ? Static<Q> : never;
  readonly body: R extends Route<TSchema, TSchema, infer B> ? Static<B> : never;
}

export type ResponseOf<R extends Route> =
  R extends Route<TSchema, TSchema, TSchema, infer S> ? Static<S> : never;
