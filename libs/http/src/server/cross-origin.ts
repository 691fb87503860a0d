import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a browser may cache the result of a preflight, in seconds; browsers cap it at two hours or less. */
const MAX_AGE_SECONDS = 7200;
const METHODS = 'GET, POST, PUT, PATCH, DELETE';
/** Headers that exporters and API clients send. A preflight that names other headers gets those allowed. */
const REQUEST_HEADERS =
  'authorization, content-type, content-encoding, idempotency-key, if-none-match, if-range, prefer, range, traceparent, tracestate, baggage';
const RESPONSE_HEADERS =
  'Retry-After, X-Request-Id, Assay-Freshness, Preference-Applied, Deprecation, Link, Link-Template, ETag, Accept-Ranges, Content-Range';
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~ ,-]{1,4096}$/;

/** Sets the CORS headers of a response. Call it before anything else, so that error responses have them too. */
export type AllowOrigin = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Allows pages of these origins to call the API; none when the list is empty. `*` matches any origin, and within an
 * origin any text, such as `https://*.example.com`. Pages authenticate by header like every other client, so responses never
 * allow credentials that a browser adds.
 */
export function makeAllowOrigin(origins: readonly string[]): AllowOrigin {
  if (origins.length === 0) return () => undefined;
  const isAllowed = makeIsAllowedOrigin(origins);
  return function allowOrigin(request, response) {
    // A response cached for one origin must not be served to another.
    response.setHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !isAllowed(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS);
    if (isPreflight(request)) allowRequest(request, response);
  };
}

/** Returns a function that tells whether one of the patterns of {@link makeAllowOrigin} matches an origin. */
export function makeIsAllowedOrigin(origins: readonly string[]): (origin: string) => boolean {
  const patterns = origins.map(originPattern);
  return (origin) => patterns.some((pattern) => pattern.test(origin));
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function allowRequest(request: IncomingMessage, response: ServerResponse): void {
  const requested = request.headers['access-control-request-headers'];
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader(
    'Access-Control-Allow-Headers',
    typeof requested === 'string' && HEADER_NAMES.test(requested) ? requested : REQUEST_HEADERS,
  );
  response.setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS);
}

/** Within an origin, `*` matches labels of a host or a port, never a scheme or a path. */
function originPattern(origin: string): RegExp {
  if (origin === '*') return /^[^\s]{1,2048}$/;
  const escaped = origin.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/@\\s]+');
  return new RegExp(`^${escaped}$`, 'i');
}
