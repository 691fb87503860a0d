import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { RouteAccess } from '@assay/contracts';
import type { Authenticator } from '@assay/control-plane-client';
import { ADMINISTRATOR, isAdministrator, type Caller, type Principal } from '@assay/domain';
import { AppError } from '@assay/errors';
import { INTERNAL_TOKEN_HEADER, PRINCIPAL_HEADER, decodePrincipal } from './internal-headers.js';

export interface BearerAuthOptions {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  /** Absent: nobody is the administrator. */
  readonly adminToken?: string;
  /** Shared by the services of one deployment: whoever sends it is believed who the caller is. Absent: nobody is. */
  readonly internalToken?: string;
}

/** Tells who sends a request, from its headers alone, and refuses who may not call the route. */
export type Authenticate = (access: RouteAccess, headers: IncomingHttpHeaders) => Promise<Principal | undefined>;

/**
 * The returned function gives the caller, or undefined on a public route.
 * It throws AppError `UNAUTHORIZED`, `FORBIDDEN`, or `UNAVAILABLE` when the key cannot be looked up.
 */
export function makeBearerAuth(options: BearerAuthOptions): Authenticate {
  const isAdminToken = matcher(options.adminToken);
  const isInternalToken = matcher(options.internalToken);

  async function identify(headers: IncomingHttpHeaders): Promise<Principal> {
    const internal = headers[INTERNAL_TOKEN_HEADER];
    if (internal !== undefined) return believed(headers, typeof internal === 'string' && isInternalToken(internal));
    const token = bearerToken(headers.authorization);
    if (isAdminToken(token)) return ADMINISTRATOR;
    const caller = await options.authenticator.authenticate(token);
    if (caller === undefined) throw new AppError('UNAUTHORIZED', 'the key is unknown, expired or revoked');
    return caller;
  }

  return async function authenticate(access, headers) {
    if (access === 'public') return undefined;
    const principal = await identify(headers);
    requireAccess(access, principal);
    return principal;
  };
}

function believed(headers: IncomingHttpHeaders, trusted: boolean): Principal {
  const principal = trusted ? decodePrincipal(headers[PRINCIPAL_HEADER]) : undefined;
  if (principal === undefined) throw new AppError('UNAUTHORIZED', 'the internal token is not valid');
  return principal;
}

function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new AppError('UNAUTHORIZED', 'the Authorization header is missing, send "Bearer" and a key');
  const token = /^bearer +(\S{1,4096}) *$/i.exec(header)?.[1];
  if (token !== undefined) return token;
  const hint = /^bearer%20/i.test(header)
    ? 'the Authorization header is percent-encoded, send it with a space'
    : 'the Authorization header must be "Bearer" and a key';
  throw new AppError('UNAUTHORIZED', hint);
}

/** Compares in constant time, over digests so that lengths may differ. */
function matcher(secret: string | undefined): (token: string) => boolean {
  if (secret === undefined || secret === '') return () => false;
  const wanted = digest(secret);
  return (token) => timingSafeEqual(digest(token), wanted);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function requireAccess(access: RouteAccess, principal: Principal): void {
  if (isAdministrator(principal)) {
    if (access !== 'admin' && access !== 'admin-or-project')
      throw forbidden("the administrator's token belongs to no project, use a key of the project");
    return;
  }
  if (access === 'admin') throw forbidden("this needs the administrator's token");
  if (!mayCall(access, principal)) throw forbidden('this key may only send events and sessions');
}

function mayCall(access: RouteAccess, caller: Caller): boolean {
  return access === 'ingest' || caller.scope === 'project';
}

function forbidden(message: string): AppError {
  return new AppError('FORBIDDEN', message);
}
