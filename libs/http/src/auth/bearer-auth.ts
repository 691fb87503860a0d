import type { IncomingHttpHeaders } from 'node:http';
import { CONSOLE_PROJECT_HEADER, type RouteAccess } from '@assay/contracts';
import type { Authenticator } from '@assay/control-plane-client';
import { isAdministrator, isSignedToken, type Caller, type Principal } from '@assay/domain';
import { AppError } from '@assay/errors';
import { sharedTokenDataPlane, type DataPlane, type IdentifyDataPlane } from './data-plane.js';
import { makeIdentifyAdministrator, type AdministratorOptions } from './identify-administrator.js';
import { INTERNAL_TOKEN_HEADER, PRINCIPAL_HEADER, decodePrincipal } from './internal-headers.js';

export interface BearerAuthOptions extends AdministratorOptions {
  readonly authenticator: Pick<Authenticator, 'authenticate'> &
    Partial<Pick<Authenticator, 'authenticatePerson'>> &
    AdministratorOptions['authenticator'];
  /** Secret shared by the services of one deployment. A service that sends it may state who the caller is. */
  readonly internalToken?: string;
  /** Replaces `internalToken`: identifies one of several data planes, each bound to projects. */
  readonly identifyDataPlane?: IdentifyDataPlane;
}

/** The authenticated sender of a request, and the data plane that forwarded it, if any. */
export interface Identity {
  /** Undefined on a public route and on a route of data planes. */
  readonly principal: Principal | undefined;
  readonly dataPlane?: DataPlane;
}

/** Identifies the sender of a request by its headers and checks that it may call the route. */
export type Authenticate = (access: RouteAccess, headers: IncomingHttpHeaders) => Promise<Identity>;

/** The returned function throws AppError `UNAUTHORIZED`, `FORBIDDEN`, or `UNAVAILABLE` when the key cannot be looked up. */
export function makeBearerAuth(options: BearerAuthOptions): Authenticate {
  const identifyAdministrator = makeIdentifyAdministrator(options);
  const identifyDataPlane = options.identifyDataPlane ?? sharedTokenDataPlane(options.internalToken);

  async function identify(
    access: RouteAccess,
    headers: IncomingHttpHeaders,
  ): Promise<Identity & { principal: Principal }> {
    const internal = headers[INTERNAL_TOKEN_HEADER];
    if (internal === undefined) return { principal: await authenticateBearer(headers) };
    const dataPlane = typeof internal === 'string' ? await identifyDataPlane(internal) : undefined;
    if (dataPlane === undefined) throw new AppError('UNAUTHORIZED', 'the internal token is not valid');
    const principal = await forwardedPrincipal(access, headers, dataPlane);
    if (!isAdministrator(principal) && !dataPlane.mayActFor(principal.projectId))
      throw forbidden('the token of this data plane is not bound to the project');
    return { principal, dataPlane };
  }

  /** A data-plane token does not authorise administrative routes: there the client's own credential is checked. */
  async function forwardedPrincipal(
    access: RouteAccess,
    headers: IncomingHttpHeaders,
    dataPlane: DataPlane,
  ): Promise<Principal> {
    if (!isAdministrative(access) || dataPlane.vouchesForAdministration) return statedPrincipal(headers);
    if (headers.authorization === undefined)
      throw forbidden("a data-plane token does not authorise this route, send the client's own key or token");
    return authenticateBearer(headers);
  }

  async function authenticateBearer(headers: IncomingHttpHeaders): Promise<Principal> {
    const token = bearerToken(headers.authorization);
    const administrator = identifyAdministrator(token);
    const found = administrator && (await administrator);
    if (found !== undefined) return found;
    const person = isSignedToken(token) ? await authenticatePerson(token, headers, options) : undefined;
    const caller = person ?? (await options.authenticator.authenticate(token));
    if (caller === undefined) throw new AppError('UNAUTHORIZED', 'the key is unknown, expired or revoked');
    return caller;
  }

  /** A data plane that calls on its own behalf sends its token as the bearer token. */
  async function ownDataPlane(headers: IncomingHttpHeaders): Promise<DataPlane> {
    const dataPlane = await identifyDataPlane(bearerToken(headers.authorization));
    if (dataPlane === undefined) throw new AppError('UNAUTHORIZED', 'the token of a data plane is needed');
    return dataPlane;
  }

  return async function authenticate(access, headers) {
    if (access === 'public') return { principal: undefined };
    if (access === 'data-plane') return { principal: undefined, dataPlane: await ownDataPlane(headers) };
    const identity = await identify(access, headers);
    assertAccess(access, identity.principal);
    return identity;
  };
}

/** Undefined where there is no identity provider. @throws AppError */
async function authenticatePerson(
  token: string,
  headers: IncomingHttpHeaders,
  { authenticator }: Pick<BearerAuthOptions, 'authenticator'>,
): Promise<Caller | undefined> {
  const project = headers[CONSOLE_PROJECT_HEADER];
  const projectId = typeof project === 'string' ? project : null;
  const outcome = await authenticator.authenticatePerson?.(token, projectId);
  if (outcome?.refusal) throw new AppError(outcome.refusal.code, outcome.refusal.message);
  return outcome?.caller ?? undefined;
}

/** Whether the route manages projects, keys or data planes. */
export function isAdministrative(access: RouteAccess): boolean {
  return access === 'admin' || access === 'admin-or-project';
}

function statedPrincipal(headers: IncomingHttpHeaders): Principal {
  const principal = decodePrincipal(headers[PRINCIPAL_HEADER]);
  if (principal === undefined)
    throw new AppError('UNAUTHORIZED', 'the internal headers do not say who the caller is');
  return principal;
}

/** Characters of a credential; a token of an identity provider has the groups of the person, and the limit of all headers. */
const MAX_KEY = 4_096;

function bearerToken(header: string | undefined): string {
  if (header === undefined)
    throw new AppError('UNAUTHORIZED', 'the Authorization header is missing, send "Bearer" and a key');
  const token = /^bearer +(\S{1,16384}) *$/i.exec(header)?.[1];
  if (token !== undefined && (token.length <= MAX_KEY || isSignedToken(token))) return token;
  const hint = /^bearer%20/i.test(header)
    ? 'the Authorization header is percent-encoded, send it with a space'
    : 'the Authorization header must be "Bearer" and a key';
  throw new AppError('UNAUTHORIZED', hint);
}

/** Checks that the sender may call routes of this access. @throws AppError `FORBIDDEN` */
export function assertAccess(access: RouteAccess, principal: Principal): void {
  if (isAdministrator(principal)) {
    if (!isAdministrative(access))
      throw forbidden("an administrator's token belongs to no project, use a key of the project");
    return;
  }
  if (access === 'admin') throw forbidden("this needs an administrator's token");
  if (!mayCall(access, principal)) throw forbidden('this key may only send events and sessions');
}

function mayCall(access: RouteAccess, caller: Caller): boolean {
  return access === 'ingest' || caller.scope === 'project';
}

function forbidden(message: string): AppError {
  return new AppError('FORBIDDEN', message);
}
