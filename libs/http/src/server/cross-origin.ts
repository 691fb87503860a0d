import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a browser may remember that it may call, in seconds; browsers cap it at two hours and less. */
const MAX_AGE_SECONDS = 7200;
const METHODS = 'GET, POST, PUT, PATCH, DELETE';
/** What exporters and API clients send; a preflight that asks for other headers by name is told that they are fine. */
const REQUEST_HEADERS =
  'authorization, content-type, content-encoding, idempotency-key, prefer, traceparent, tracestate, baggage';
const ANSWER_HEADERS =
  'Retry-After, X-Request-Id, Assay-Freshness, Preference-Applied, Deprecation, Link, Link-Template';
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~ ,-]{1,4096}$/;

/** Puts on an answer what a browser needs to let the page have it (CORS). Call it before anything else, so that refusals carry it too. */
export type AllowOrigin = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Allows pages of these origins to call the API; none when the list is empty. `*` stands for any origin, and within one for any text, such as
 * `https://*.example.com`. Pages authenticate by header like every other client: no answer allows credentials that a browser adds by itself.
 */
export function makeAllowOrigin(origins: readonly string[]): AllowOrigin {
  if (origins.length === 0) return () => undefined;
  const patterns = origins.map(originPattern);
  return function allowOrigin(request, response) {
    // What is cached for one page must not be given to another.
    response.setHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !patterns.some((pattern) => pattern.test(origin))) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', ANSWER_HEADERS);
    if (isPreflight(request)) allowRequest(request, response);
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function allowRequest(request: IncomingMessage, response: ServerResponse): void {
  const asked = request.headers['access-control-request-headers'];
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader(
    'Access-Control-Allow-Headers',
    typeof asked === 'string' && HEADER_NAMES.test(asked) ? asked : REQUEST_HEADERS,
  );
  response.setHeader('Access-Control-Max-Age', MAX_AGE_SECONDS);
}

/** A `*` inside an origin stands for the labels of a host or for a port, never for another scheme or a path. */
function originPattern(origin: string): RegExp {
  if (origin === '*') return /^[^\s]{1,2048}$/;
  const escaped = origin.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/@\\s]+');
  return new RegExp(`^${escaped}$`, 'i');
}
