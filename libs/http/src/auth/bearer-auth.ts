import type { IncomingHttpHeaders } from 'node:http';
import type { RouteAccess } from '@assay/contracts';
import type { Authenticator } from '@assay/control-plane-client';
import { ADMINISTRATOR, isAdministrator, type Caller, type Principal } from '@assay/domain';
import { AppError } from '@assay/errors';
import {
  makeTokenCheck,
  sharedTokenDataPlane,
  type DataPlane,
  type IdentifyDataPlane,
} from './data-plane.js';
import { INTERNAL_TOKEN_HEADER, PRINCIPAL_HEADER, decodePrincipal } from './internal-headers.js';

export interface BearerAuthOptions {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  /** Absent: nobody is the administrator. */
  readonly adminToken?: string;
  /** Shared by the services of one deployment: whoever sends it is believed who the caller is. Absent: nobody is. */
  readonly internalToken?: string;
  /** In place of `internalToken`: knows several data planes, each bound to projects. */
  readonly identifyDataPlane?: IdentifyDataPlane;
}

/** Who sends a request, and through which data plane it comes, if through one. */
export interface Identified {
  /** Undefined on a public route, and on a route of data planes. */
  readonly principal: Principal | undefined;
  readonly dataPlane?: DataPlane;
}

/** Tells who sends a request, from its headers alone, and refuses who may not call the route. */
export type Authenticate = (access: RouteAccess, headers: IncomingHttpHeaders) => Promise<Identified>;

/** The returned function throws AppError `UNAUTHORIZED`, `FORBIDDEN`, or `UNAVAILABLE` when the key cannot be looked up. */
export function makeBearerAuth(options: BearerAuthOptions): Authenticate {
  const isAdminToken = makeTokenCheck(options.adminToken);
  const identifyDataPlane = options.identifyDataPlane ?? sharedTokenDataPlane(options.internalToken);

  async function identify(
    access: RouteAccess,
    headers: IncomingHttpHeaders,
  ): Promise<Identified & { principal: Principal }> {
    const internal = headers[INTERNAL_TOKEN_HEADER];
    if (internal === undefined) return { principal: await bearer(headers) };
    const dataPlane = typeof internal === 'string' ? await identifyDataPlane(internal) : undefined;
    if (dataPlane === undefined) throw new AppError('UNAUTHORIZED', 'the internal token is not valid');
    const principal = await passedOn(access, headers, dataPlane);
    if (!isAdministrator(principal) && !dataPlane.mayActFor(principal.projectId))
      throw forbidden('the token of this data plane is not bound to the project');
    return { principal, dataPlane };
  }

  /** Of administration a data plane's word is not enough: it passes on what the client has sent, and that is checked here. */
  async function passedOn(
    access: RouteAccess,
    headers: IncomingHttpHeaders,
    dataPlane: DataPlane,
  ): Promise<Principal> {
    if (!isAdministrative(access) || dataPlane.vouchesForAdministration) return believed(headers);
    if (headers.authorization === undefined)
      throw forbidden(
        "the token of a data plane does not open this route, the client's own key or token is needed",
      );
    return bearer(headers);
  }

  async function bearer(headers: IncomingHttpHeaders): Promise<Principal> {
    const token = bearerToken(headers.authorization);
    if (isAdminToken(token)) return ADMINISTRATOR;
    const caller = await options.authenticator.authenticate(token);
    if (caller === undefined) throw new AppError('UNAUTHORIZED', 'the key is unknown, expired or revoked');
    return caller;
  }

  /** A data plane that calls for itself sends its token as a client sends its key. */
  async function ownToken(headers: IncomingHttpHeaders): Promise<DataPlane> {
    const dataPlane = await identifyDataPlane(bearerToken(headers.authorization));
    if (dataPlane === undefined) throw new AppError('UNAUTHORIZED', 'the token of a data plane is needed');
    return dataPlane;
  }

  return async function authenticate(access, headers) {
    if (access === 'public') return { principal: undefined };
    if (access === 'data-plane') return { principal: undefined, dataPlane: await ownToken(headers) };
    const identified = await identify(access, headers);
    requireAccess(access, identified.principal);
    return identified;
  };
}

/** Whether the route administers projects, keys or data planes. */
export function isAdministrative(access: RouteAccess): boolean {
  return access === 'admin' || access === 'admin-or-project';
}

function believed(headers: IncomingHttpHeaders): Principal {
  const principal = decodePrincipal(headers[PRINCIPAL_HEADER]);
  if (principal === undefined)
    throw new AppError('UNAUTHORIZED', 'the internal headers do not say who the caller is');
  return principal;
}

function bearerToken(header: string | undefined): string {
  if (header === undefined)
    throw new AppError('UNAUTHORIZED', 'the Authorization header is missing, send "Bearer" and a key');
  const token = /^bearer +(\S{1,4096}) *$/i.exec(header)?.[1];
  if (token !== undefined) return token;
  const hint = /^bearer%20/i.test(header)
    ? 'the Authorization header is percent-encoded, send it with a space'
    : 'the Authorization header must be "Bearer" and a key';
  throw new AppError('UNAUTHORIZED', hint);
}

function requireAccess(access: RouteAccess, principal: Principal): void {
  if (isAdministrator(principal)) {
    if (!isAdministrative(access))
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
