import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Route } from '@assay/contracts';
import type { Principal } from '@assay/domain';
import { isAdministrative } from '../auth/bearer-auth.js';
import {
  CLIENT_ADDRESS_HEADER,
  INTERNAL_PREFIX,
  INTERNAL_TOKEN_HEADER,
  PRINCIPAL_HEADER,
  encodePrincipal,
} from '../auth/internal-headers.js';
import type { RequestContext } from '../request/request-context.js';

/** Request headers that are not forwarded: those of one connection (RFC 9110, 7.6.1), and those that the proxy sets itself. */
const DROPPED_REQUEST_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'authorization',
  'x-request-id',
]);

/** Response headers that are returned, besides those of Assay: the upstream service may not set cookies or policies for this host. */
const RETURNED_RESPONSE_HEADERS = new Set([
  'allow',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'deprecation',
  'link',
  'link-template',
  'preference-applied',
  'retry-after',
  'sunset',
  'vary',
  'www-authenticate',
  'x-request-id',
]);

/** Returns the headers of the upstream request, except `Host`. */
export function upstreamHeaders(
  route: Route,
  headers: IncomingHttpHeaders,
  context: RequestContext<Principal | undefined>,
  internalToken: string,
): OutgoingHttpHeaders {
  return {
    ...forwardedHeaders(headers),
    ...clientCredential(route, headers),
    ...internalHeaders(context, internalToken),
  };
}

/** Returns the headers of the upstream response that the client may see. */
export function returnedHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => RETURNED_RESPONSE_HEADERS.has(name) || name.startsWith(INTERNAL_PREFIX),
    ),
  );
}

function forwardedHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const forwarded = Object.entries(headers).filter(
    ([name]) => !DROPPED_REQUEST_HEADERS.has(name) && !named.has(name) && !name.startsWith(INTERNAL_PREFIX),
  );
  return Object.fromEntries(forwarded);
}

/** A data-plane token does not authorise administrative routes: the service that owns them checks the client's own credential. */
function clientCredential({ access }: Route, { authorization }: IncomingHttpHeaders): OutgoingHttpHeaders {
  return isAdministrative(access) && authorization !== undefined ? { authorization } : {};
}

function internalHeaders(
  context: RequestContext<Principal | undefined>,
  internalToken: string,
): OutgoingHttpHeaders {
  const headers = { 'x-request-id': context.requestId, [CLIENT_ADDRESS_HEADER]: context.origin.address };
  if (context.caller === undefined) return headers;
  return {
    ...headers,
    [INTERNAL_TOKEN_HEADER]: internalToken,
    [PRINCIPAL_HEADER]: encodePrincipal(context.caller),
  };
}
