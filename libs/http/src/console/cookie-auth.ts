import type { IncomingMessage } from 'node:http';
import { ADMINISTRATION_HEADER, CONSOLE_PROJECT_HEADER, type RouteAccess } from '@assay/contracts';
import { AppError } from '@assay/errors';
import { isAdministrative } from '../auth/bearer-auth.js';
import { INTERNAL_TOKEN_HEADER } from '../auth/internal-headers.js';
import { requestIdOf } from '../request/request-context.js';
import { errorResponse, toAppError } from '../response/error-response.js';
import { send } from '../response/send.js';
import type { Handler } from '../routing/handle.js';
import type { AdministrationCookie } from './administration-cookie.js';
import { assertSameOrigin } from './assert-same-origin.js';
import type { CookieSessions } from './cookie-sessions.js';
import { mayHaveSession } from './session-cookie.js';

const NO_STORE = 'no-store';

/** The cookies of a browser. */
interface Cookies {
  readonly sessions: CookieSessions;
  readonly administration: AdministrationCookie;
}

/**
 * Returns a handler that also takes requests of a signed-in browser. This is the only place that turns a cookie into a key: what follows sees the
 * header `Authorization` as from any client, and no cookie. A header that the client sends itself has precedence.
 */
export function withCookieAuth(handler: Handler, cookies: Cookies, access: RouteAccess): Handler {
  return async function handle(request, response, params) {
    const { headers } = request;
    if (mayHaveSession(headers) && !hasCredential(request) && isForConsole(request, access)) {
      // Nothing of it may stay in a cache that the next person of the computer can read.
      response.setHeader('Cache-Control', NO_STORE);
      try {
        const token = isForAdministrator(request, access)
          ? administratorToken(request, cookies)
          : keyOf(request, cookies.sessions);
        headers.authorization = `Bearer ${token}`;
      } catch (error) {
        const requestId = requestIdOf(headers);
        return send(request, response, errorResponse(toAppError(error), { requestId }));
      }
    }
    delete headers.cookie;
    return handler(request, response, params);
  };
}

function hasCredential({ headers }: IncomingMessage): boolean {
  return headers.authorization !== undefined || headers[INTERNAL_TOKEN_HEADER] !== undefined;
}

/** Routes of the administrator are for pages that say so, which those of other sites cannot. */
function isForConsole(request: IncomingMessage, access: RouteAccess): boolean {
  return access !== 'admin' || isForAdministrator(request, access);
}

function isForAdministrator({ headers }: IncomingMessage, access: RouteAccess): boolean {
  return isAdministrative(access) && headers[ADMINISTRATION_HEADER] === 'true';
}

/** @throws AppError `FORBIDDEN`, `UNSUPPORTED_MEDIA_TYPE` */
function administratorToken(request: IncomingMessage, { sessions, administration }: Cookies): string {
  assertSameOrigin(request, sessions.siteOf(request));
  const unlocked = administration.read(request);
  if (unlocked !== undefined) return unlocked.token;
  throw new AppError('FORBIDDEN', "administration is locked, unlock it with an administrator's token");
}

/** @throws AppError `UNAUTHORIZED`, `FORBIDDEN`, `UNSUPPORTED_MEDIA_TYPE`, `VALIDATION_ERROR` */
function keyOf(request: IncomingMessage, sessions: CookieSessions): string {
  assertSameOrigin(request, sessions.siteOf(request));
  const project = request.headers[CONSOLE_PROJECT_HEADER];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (project === undefined && !isRead)
    throw new AppError('VALIDATION_ERROR', 'the header Assay-Project is missing, send the id of the project');
  const { keys = [], person } = sessions.read(request) ?? {};
  const found = project === undefined ? keys.at(-1) : keys.find(({ projectId }) => projectId === project);
  if (found !== undefined) return found.key;
  if (person !== undefined) {
    request.headers[CONSOLE_PROJECT_HEADER] ??= person.projectId;
    return person.token;
  }
  throw new AppError(
    'UNAUTHORIZED',
    keys.length === 0 ? 'the session has ended, sign in again' : 'sign in to this project first',
  );
}
