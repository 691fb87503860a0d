import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Route } from '@assay/contracts';
import { AppError } from '@assay/errors';
import { requestIdOf } from '../request/request-context.js';
import { wantsHtml } from '../request/wants-html.js';
import { errorResponse, toAppError } from '../response/error-response.js';
import { JSON_TYPE, type WireResponse } from '../response/response.js';
import { send } from '../response/send.js';
import type { Handler } from '../routing/handle.js';
import { AdministrationCookie } from './administration-cookie.js';
import {
  lockAdministration,
  unlockAdministration,
  type AdministrationDeps,
} from './administration-resource.js';
import { CONSOLE_HEADERS } from './console-headers.js';
import { withCookieAuth } from './cookie-auth.js';
import { CookieSessions } from './cookie-sessions.js';
import { createCode } from './create-code.js';
import { LoginLimit } from './login-limit.js';
import { ProviderSignIn, SIGN_IN_CALLBACK, type Redirect } from './provider-sign-in.js';
import { makeServeFiles } from './serve-files.js';
import {
  describeSession,
  signIn,
  signOut,
  type SessionDeps,
  type SessionResponse,
} from './session-resource.js';

export type ConsoleDeps = Omit<AdministrationDeps, 'sessions' | 'administration' | 'logins'>;

/** The console of one server. */
export interface Console {
  /** Returns the listener of a request to the console; undefined for requests to the API. */
  match(request: IncomingMessage): RequestListener | undefined;
  /** Lets the session of the console authenticate requests of a route that is for it. */
  authenticating(route: Route, handler: Handler): Handler;
}

const PREFIX = '/console/';
const SESSION = '/console/session';
const OPTIONS = '/console/session/options';
const PROVIDER = '/console/session/provider';
const CODE = '/console/code';
const ADMINISTRATION = '/console/session/administration';
/** Pages of the console for paths that a person types. */
const REDIRECTED: ReadonlyMap<string, string> = new Map([
  ['/', PREFIX],
  ['/console', PREFIX],
  ['/docs', '/console/api'],
]);
const METHODS_OF: Readonly<Record<string, string>> = {
  [SESSION]: 'GET, POST, DELETE',
  [ADMINISTRATION]: 'POST, DELETE',
  [CODE]: 'POST',
  [OPTIONS]: 'GET',
  [PROVIDER]: 'GET',
  [SIGN_IN_CALLBACK]: 'GET',
};

export function createConsole(deps: ConsoleDeps): Console {
  const sessions = new CookieSessions(deps.options, deps.isTrustedProxy, Date.now);
  const administration = new AdministrationCookie(deps.options, deps.isTrustedProxy, Date.now);
  const all = { ...deps, sessions, administration, logins: new LoginLimit(Date.now) };
  const signIns = new ProviderSignIn(all);
  const serveFiles = makeServeFiles(deps.options.files);
  return {
    match({ url = '', headers }) {
      const path = pathOf(url);
      if (path === SESSION) return (request, response) => void serveSession(request, response, all);
      if (path === ADMINISTRATION)
        return (request, response) => void serveAdministration(request, response, all);
      if (path === CODE) return (request, response) => void serveCode(request, response, all);
      if (path === OPTIONS) return (request, response) => void serveOptions(request, response, all, signIns);
      if (path === PROVIDER)
        return (request, response) =>
          void serveRedirect(request, response, all, (asked) => signIns.begin(asked));
      if (path === SIGN_IN_CALLBACK)
        return (request, response) =>
          void serveRedirect(request, response, all, (asked) => signIns.complete(asked));
      if (path.startsWith(PREFIX))
        return (request, response) =>
          serveFiles(request, response, path.slice(PREFIX.length) || 'index.html');
      const target = path === '/console' || wantsHtml(headers) ? REDIRECTED.get(path) : undefined;
      return target === undefined ? undefined : redirectTo(target);
    },
    authenticating: (route, handler) =>
      route.console === true ? withCookieAuth(handler, { sessions, administration }, route.access) : handler,
  };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Nothing of the request is in the location. */
function redirectTo(location: string): RequestListener {
  const headers = { Location: location, 'Cache-Control': 'no-store', Vary: 'Accept', ...CONSOLE_HEADERS };
  return (request, response) =>
    send(request, response, { status: 302, contentType: 'text/plain', body: '', headers });
}

function serveSession(request: IncomingMessage, response: ServerResponse, deps: SessionDeps): Promise<void> {
  return respondWith(request, response, deps, (): Promise<SessionResponse> | SessionResponse => {
    if (request.method === 'POST') return signIn(request, response, deps);
    if (request.method === 'GET') return describeSession(request, deps);
    if (request.method === 'DELETE') return signOut(request, deps);
    throw wrongMethod(SESSION);
  });
}

function serveAdministration(
  request: IncomingMessage,
  response: ServerResponse,
  deps: AdministrationDeps,
): Promise<void> {
  return respondWith(request, response, deps, (): Promise<SessionResponse> | SessionResponse => {
    if (request.method === 'POST') return unlockAdministration(request, response, deps);
    if (request.method === 'DELETE') return lockAdministration(request, deps);
    throw wrongMethod(ADMINISTRATION);
  });
}

function serveCode(request: IncomingMessage, response: ServerResponse, deps: SessionDeps): Promise<void> {
  return respondWith(request, response, deps, () => {
    if (request.method !== 'POST') throw wrongMethod(CODE);
    return createCode(request, deps);
  });
}

function serveOptions(
  request: IncomingMessage,
  response: ServerResponse,
  deps: SessionDeps,
  signIns: ProviderSignIn,
): Promise<void> {
  return respondWith(request, response, deps, async () => {
    if (request.method !== 'GET') throw wrongMethod(OPTIONS);
    return { body: await signIns.options() };
  });
}

function serveRedirect(
  request: IncomingMessage,
  response: ServerResponse,
  deps: SessionDeps,
  redirect: (request: IncomingMessage) => Promise<Redirect>,
): Promise<void> {
  return respondWith(request, response, deps, () => {
    if (request.method !== 'GET') throw wrongMethod(pathOf(request.url ?? ''));
    return redirect(request);
  });
}

function wrongMethod(path: string): AppError {
  return new AppError('METHOD_NOT_ALLOWED', `this route takes ${METHODS_OF[path]}`);
}

async function respondWith(
  request: IncomingMessage,
  response: ServerResponse,
  { logger }: SessionDeps,
  respond: () => Promise<Partial<SessionResponse & Redirect>> | Partial<SessionResponse & Redirect>,
): Promise<void> {
  const requestId = requestIdOf(request.headers);
  let content: WireResponse;
  const headers: Record<string, string> = {
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...CONSOLE_HEADERS,
  };
  try {
    const { body = {}, cookies = [], location } = await respond();
    if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
    content =
      location === undefined
        ? { status: 200, contentType: JSON_TYPE, body: JSON.stringify(body) }
        : { status: 302, contentType: 'text/plain', body: '', headers: { Location: location } };
  } catch (error) {
    const failure = toAppError(error);
    if (failure.status >= 500)
      logger?.error('console request failed', { requestId, code: failure.code }, failure.cause ?? failure);
    content = errorResponse(failure, { requestId });
    if (failure.code === 'METHOD_NOT_ALLOWED') headers.Allow = METHODS_OF[pathOf(request.url ?? '')] ?? '';
  }
  send(request, response, content, headers);
}
