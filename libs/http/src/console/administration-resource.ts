import type { IncomingMessage, ServerResponse } from 'node:http';
import { compile, unlockAdministrationRequest } from '@assay/contracts';
import { AppError } from '@assay/errors';
import type { IdentifyAdministrator } from '../auth/identify-administrator.js';
import { originOf } from '../request/client-address.js';
import type { AdministrationCookie } from './administration-cookie.js';
import { assertSameOrigin } from './assert-same-origin.js';
import { readSmallJson } from './read-small-json.js';
import type { SessionDeps, SessionResponse } from './session-resource.js';

export interface AdministrationDeps extends SessionDeps {
  readonly administration: AdministrationCookie;
  readonly identifyAdministrator: IdentifyAdministrator;
}

const checkUnlock = compile(unlockAdministrationRequest);

/**
 * Unlocks the routes of the administrator in a signed-in browser for an hour. Attempts are counted with those of signing in.
 * @throws AppError `UNAUTHORIZED`, `FORBIDDEN`, `RATE_LIMITED`, `VALIDATION_ERROR`
 */
export async function unlockAdministration(
  request: IncomingMessage,
  response: ServerResponse,
  deps: AdministrationDeps,
): Promise<SessionResponse> {
  assertSameOrigin(request, deps.sessions.siteOf(request));
  deps.logins.count(originOf(request, undefined, deps.isTrustedProxy).address);
  if (deps.sessions.read(request) === undefined)
    throw new AppError('UNAUTHORIZED', 'the session has ended, sign in again');
  const { admin_token: token } = checkUnlock(await readSmallJson(request, response, deps.budget));
  if ((await deps.identifyAdministrator(token)) === undefined)
    throw new AppError('FORBIDDEN', 'admin_token is not a valid token of an administrator');
  const { cookie, expires } = deps.administration.write(request, token);
  return { body: { unlocked_until: new Date(expires * 1_000).toISOString() }, cookies: [cookie] };
}

/** Locks the routes of the administrator again. @throws AppError */
export function lockAdministration(request: IncomingMessage, deps: AdministrationDeps): SessionResponse {
  assertSameOrigin(request, deps.sessions.siteOf(request));
  return { body: { success: true }, cookies: [deps.administration.clear(request)] };
}
