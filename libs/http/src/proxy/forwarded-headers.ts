import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { CONSOLE_PROJECT_HEADER, type Route } from '@assay/contracts';
import { isAdministrator, type Principal } from '@assay/domain';
import { TELEMETRY_HEADER } from '@assay/telemetry';
import { isAdministrative } from '../auth/bearer-auth.js';
import {
  CLIENT_ADDRESS_HEADER,
  CLIENT_IDENTITY_HEADER,
  INTERNAL_PREFIX,
  INTERNAL_TOKEN_HEADER,
  PRINCIPAL_HEADER,
  encodePrincipal,
} from '../auth/internal-headers.js';
import type { RequestContext } from '../request/request-context.js';

/**
 * Request headers that are forwarded, besides those that the proxy sets itself. Others may hold data that is not for the
 * upstream service, such as the baggage of a trace or a cookie.
 */
const FORWARDED_REQUEST_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
  'hh-client-language',
  'prefer',
  TELEMETRY_HEADER,
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
    ...forwardedHeaders(route, headers),
    ...clientCredential(route, headers, context.caller),
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

function forwardedHeaders({ owner }: Route, headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const isForwarded = (name: string) =>
    FORWARDED_REQUEST_HEADERS.has(name) || (name === 'idempotency-key' && owner === 'ingestion');
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => isForwarded(name) && !named.has(name)),
  );
}

/** A data-plane token does not authorise administrative routes: the service that owns them checks the client's own credential. */
function clientCredential(
  { access }: Route,
  { authorization }: IncomingHttpHeaders,
  caller: Principal | undefined,
): OutgoingHttpHeaders {
  if (!isAdministrative(access) || authorization === undefined) return {};
  if (caller === undefined || isAdministrator(caller) || caller.person === undefined)
    return { authorization };
  return { authorization, [CONSOLE_PROJECT_HEADER]: caller.projectId };
}

function internalHeaders(
  context: RequestContext<Principal | undefined>,
  internalToken: string,
): OutgoingHttpHeaders {
  const { address, identity } = context.origin;
  const headers = {
    ...{ 'x-request-id': context.requestId, [CLIENT_ADDRESS_HEADER]: address },
    ...(context.trace && { traceparent: context.trace.traceparent }),
    ...(identity !== undefined && { [CLIENT_IDENTITY_HEADER]: encodeURIComponent(identity) }),
  };
  if (context.caller === undefined) return headers;
  return {
    ...headers,
    [INTERNAL_TOKEN_HEADER]: internalToken,
    [PRINCIPAL_HEADER]: encodePrincipal(context.caller),
  };
}
